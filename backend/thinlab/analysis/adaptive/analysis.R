# Thresholds of adaptive blocks. A staircase chose each trial by what was answered before (QUEST+, Watson 2017); right is
# to choose the reference. Weibull's function of the decimal logarithm of the level, with flat priors over all that the
# study thought possible. The typical participant's threshold: a normal distribution of log thresholds among people, whose
# mean and standard deviation have flat priors; each person's answers enter as the likelihood of each threshold.
credible <- function(values, weights) {
  step <- values[2] - values[1]
  edges <- c(values[1] - step / 2, values + step / 2)
  below <- c(0, cumsum(weights)) / sum(weights)
  approx(below, edges, c((1 - confidence) / 2, (1 + confidence) / 2), ties = "ordered")$y
}
of_threshold <- function(one, v) {
  ends <- log10(unlist(one$threshold_between))
  thresholds <- seq(ends[1], ends[2], length.out = one$thresholds)
  grid <- expand.grid(t = thresholds, slope = unlist(one$slopes), lapse = unlist(one$lapse_shares))
  log_likelihood <- numeric(nrow(grid))
  for (level in one$levels) {
    right <- v$right[v$trial == level[[1]]]
    heard <- 1 - exp(-10^pmin(grid$slope * (log10(level[[2]]) - grid$t), 300))
    share <- pmin(0.5 + (0.5 - grid$lapse) * heard, 1 - 1e-9)
    log_likelihood <- log_likelihood + sum(right) * log(share) + sum(!right) * log1p(-share)
  }
  weights <- rowSums(matrix(exp(log_likelihood - max(log_likelihood)), length(thresholds)))
  list(thresholds = thresholds, weights = weights / sum(weights))
}
among_people <- function(thresholds, weights) {
  scaled <- weights / apply(weights, 1, max)
  spreads <- round(seq_len(50) * 0.02, 2)
  joint <- sapply(spreads, function(spread) {
    among <- exp(-outer(thresholds, thresholds, "-")^2 / (2 * spread^2))
    among <- among / rowSums(among)
    rowSums(log(among %*% t(scaled) + 1e-300))
  })
  joint <- exp(joint - max(joint))
  joint <- joint / sum(joint)
  list(weights = rowSums(joint), between = sum(colSums(joint) * spreads))
}
staircases_of_block <- function(block, v) {
  for (one in block$staircases) {
    named <- sapply(one$levels, function(level) level[[1]])
    mine <- v[v$trial %in% named, ]
    if (!nrow(mine)) next
    told <- function(subject, thresholds, weights, v) {
      ends <- 10^credible(thresholds, weights)
      add("threshold", block$id, subject, "threshold",
          list(value = 10^sum(weights * thresholds), wide = list(low = ends[1], high = ends[2])), v)
    }
    rows <- NULL
    for (name in sort(unique(mine$participant))) {
      own <- mine[mine$participant == name, ]
      found <- of_threshold(one, own)
      rows <- rbind(rows, found$weights)
      told(paste0(one$clip, ": ", name), found$thresholds, found$weights, own)
    }
    if (nrow(rows) >= 3) {
      group <- among_people(found$thresholds, rows)
      told(one$clip, found$thresholds, group$weights, mine)
      count("threshold", block$id, one$clip, "between_factor", 10^group$between)
    }
    for (level in one$levels) {
      right <- mine$right[mine$trial == level[[1]]]
      subject <- paste(one$clip, "at", format(level[[2]], digits = 6, scientific = FALSE))
      count("level", block$id, subject, "votes", length(right))
      count("level", block$id, subject, "votes_right", sum(right))
    }
  }
}
for (block in plan$blocks) staircases_of_block(block, votes[votes$block == block$id, ])
