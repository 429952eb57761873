"""What a game is: the declaration of its observation and the contract that it keeps."""
