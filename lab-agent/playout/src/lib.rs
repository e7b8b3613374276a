//! What a telephone does at both ends: Opus framing, jitter buffer, playout. Pure.
// SPDX-License-Identifier: Apache-2.0
#![forbid(unsafe_code)]
