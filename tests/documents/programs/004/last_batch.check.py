if olympus.process_index() == 0:
    assert message.startswith("Process 1 left: "), message
    assert "before #3 pmap(<lambda>)(float32[4@i])" in message and "last_batch.py:9" in message, message
