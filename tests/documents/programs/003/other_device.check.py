assert b.devices() == {olympus.devices()[2]} and b.committed and not a.committed
