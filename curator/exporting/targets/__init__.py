"""What each evaluator reads: one module an evaluator, all behind `protocol.Target`, found by entry point."""
