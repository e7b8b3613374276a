//! What a test that boots a guest needs to have been built.
// SPDX-License-Identifier: Apache-2.0

/// Says what is missing and how to get it, before a guest is booted.
pub fn expect_kernel_and_guest() {
    for variable in ["THINLAB_KERNEL", "THINLAB_GUEST"] {
        assert!(
            std::env::var_os(variable).is_some(),
            "{variable} is not set: run `make test`, or set it to what \
             lab-agent/{}/build prints",
            variable.trim_start_matches("THINLAB_").to_lowercase()
        );
    }
}
