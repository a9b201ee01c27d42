"""What worlds cost in time and memory, in process and over MCP, beside what is known of AWM's."""
