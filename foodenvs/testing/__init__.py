"""Public testing tools: golden scenarios, and checks that work on any AEC environment."""
