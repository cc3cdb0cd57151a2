"""The engine: plain values in, plain values out. It reads no file and prints nothing."""
