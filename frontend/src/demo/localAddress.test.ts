import { expect, test } from "vitest";
import { isLocal } from "./localAddress";

test.each([
  "http://localhost:8000/d/ABCDEF",
  "http://thinlab.localhost/d/ABCDEF",
  "http://127.0.0.1:8000/d/ABCDEF",
  "http://127.1.2.3/d/ABCDEF",
  "http://0.0.0.0:8000/d/ABCDEF",
  "http://[::1]:8000/d/ABCDEF",
  "http://[::]:8000/d/ABCDEF",
])("%s leads nowhere on other devices", (address) => expect(isLocal(address)).toBe(true));

test.each([
  "http://192.168.1.7:8000/d/ABCDEF",
  "http://localhost.example.org/d/ABCDEF",
  "https://lab.example.org/d/ABCDEF",
  "http://[2001:db8::1]/d/ABCDEF",
])("%s may lead there", (address) => expect(isLocal(address)).toBe(false));
