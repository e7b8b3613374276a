//! The streams' own randomness: contents and times, from the lane's seed.
// SPDX-License-Identifier: Apache-2.0

/// Sebastiano Vigna's `SplitMix64`: small, well distributed, and ours to keep the
/// same for ever, which a library's generator need not be.
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// So many bytes of content.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(count + 8);
        while bytes.len() < count {
            bytes.extend(self.next().to_le_bytes());
        }
        bytes.truncate(count);
        bytes
    }

    /// A waiting time of a Poisson process whose mean is `mean`.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.uniform()).ln()
    }

    /// A number of the standard normal distribution (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// From 0 to just below 1: 53 bits make such a number.
    pub fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: usize = 100_000;

    /// Mean and standard deviation are both the mean asked for, and e⁻¹ of the
    /// draws lie above it; bounds of five standard deviations of each estimate.
    #[test]
    fn waiting_times_are_exponential() {
        let mut random = SplitMix(1);
        let draws: Vec<f64> = (0..DRAWS).map(|_| random.exponential(160.0)).collect();
        let count = DRAWS as f64;
        let mean = draws.iter().sum::<f64>() / count;
        assert!((mean - 160.0).abs() < 5.0 * 160.0 / count.sqrt(), "{mean}");
        let variance = draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / count;
        let deviation = variance.sqrt();
        assert!((deviation - 160.0).abs() < 5.0 * 160.0 * (2.0 / count).sqrt());
        let above = draws.iter().filter(|&&draw| draw > 160.0).count() as f64 / count;
        let expected = (-1.0f64).exp();
        let sigma = (expected * (1.0 - expected) / count).sqrt();
        assert!((above - expected).abs() < 5.0 * sigma, "{above}");
    }
}
