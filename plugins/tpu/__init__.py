"""Platform `tpu`: libtpu through the PJRT bridge, and compiling for TPUs without having any."""
