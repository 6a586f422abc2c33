"""The command line: parse the words, call one service, print. stdout is data, stderr is narration."""
