"""A small sound environment, and broken ones with one fault each, for the conformance kit to tell apart."""
