# Works out every number that the results page shows, and its plots, from the files of this folder alone.
# SPDX-License-Identifier: Apache-2.0
#
#   Rscript analysis/analysis.R
#
# Needs R and the package jsonlite (Debian: r-base-core r-cran-jsonlite). Where lme4 and ordinal are installed
# (r-cran-lme4 r-cran-ordinal), mixed models stand beside our figures in results/other_models_r.csv.
#
# Reads   data/…_description-tidy_data.csv       a row for each vote and member
#         data/…_description-participants_data.csv   who joined
#         documentation/analysis_plan.json       what the study declared
# Writes  results/figures_r.csv                  every number
#         results/plots_r.pdf                    every plot
#         results/other_models_r.csv             mixed models, where their packages are installed
#
# Nothing that Thinlab worked out is read until the very end, where the two are compared. README.md says what the
# columns mean; docs/analysis.md of Thinlab says why these methods.

suppressPackageStartupMessages(library(jsonlite))

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
folder <- if (length(script)) dirname(dirname(normalizePath(script))) else getwd()
inside <- function(...) file.path(folder, ...)

# ---- 1  What was declared, and what was answered --------------------------------------------------------------------

plan <- fromJSON(inside("documentation", "analysis_plan.json"), simplifyVector = FALSE)
confidence <- plan$confidence

everything <- read.csv(Sys.glob(inside("data", "*_description-tidy_data.csv")),
                       na.strings = "", colClasses = "character", encoding = "UTF-8")
rows <- everything[is.na(everything$left_out), ]   # empty: the results count this vote
a <- rows[rows$member == "a", ]
b <- rows[rows$member == "b", ]
b <- b[match(a$vote, b$vote), ]               # NA where one recording was judged alone

# One row a vote. `answer`: what was said of the second compared with the first, as it was presented.
votes <- data.frame(
  vote = as.integer(a$vote), participant = a$participant, block = a$block, scale = a$scale,
  trial = a$trial, kind = a$trial_kind, material = a$material, run = as.integer(a$run),
  a = a$condition, b = b$condition, noticeable = as.integer(a$noticeable), stringsAsFactors = FALSE)
votes$b_first <- !is.na(b$presented) & b$presented == "first"
score <- as.integer(ifelse(votes$b_first | is.na(b$score), a$score, b$score))
preferred <- ifelse(a$no_difference == "true", "none",
             ifelse(a$preferred == "true", "a", "b"))
votes$preferred <- ifelse(votes$scale == "preference", preferred, NA)
# ACR and DCR rate one condition; on DCR it is the second, and the first is its reference.
ratings <- c("acr", "dcr", "mushra")
# ABX tells two apart: an answer is right or wrong.
preferences <- c("preference", "ccr")
votes$right <- a$answered_rightly == "true"
votes$rated <- ifelse(is.na(votes$b), votes$a, votes$b)
votes$answer <- score
# Votes on one recording are not independent of each other; neither are typed trials that met the same losses.
votes$recording <- ifelse(
  is.na(a$content), paste(votes$trial, votes$run),
  ifelse(is.na(b$content), a$content, paste(pmin(a$content, b$content), pmax(a$content, b$content))))
# A pair that came out as the same bytes has nothing to be preferred for: it counts as a control. Where a condition is
# rated, what it did is rated though it be nothing.
votes$same_bytes <- votes$kind == "pair" & !(votes$scale %in% ratings) & !is.na(a$same_bytes) & a$same_bytes == "true"
votes$kind[votes$same_bytes] <- "control"
# Trials that were chosen by earlier answers are no comparison: they tell of thresholds alone.
for (block in plan$blocks) if (length(block$staircases)) votes$kind[votes$block == block$id] <- "level"
# What was measured of the two, where the plan weighs two metrics: of each recording, by its bytes. Agents tell damage
# only where there is some.
weighed <- if (is.null(plan$weighed_against)) character(0) else c(plan$delay_metric, plan$weighed_against)
heard <- Sys.glob(inside("data", "*_description-recordings_data.csv"))
if (length(weighed) && length(heard)) {
  measured <- read.csv(heard, na.strings = "", colClasses = "character", encoding = "UTF-8")
  if (all(weighed %in% names(measured))) for (metric in weighed) for (member in c("a", "b")) {
    known <- measured[match(list(a = a, b = b)[[member]]$content, measured$recording_sha256), ]
    number <- as.numeric(known[[metric]])
    if (metric == "playout_damaged_ms")
      number[is.na(number) & !is.na(known$playout_concealed_ms)] <- 0
    votes[[paste(member, metric)]] <- number
  }
}
votes <- votes[order(votes$vote), ]

# ---- 2  How sure an estimate is --------------------------------------------------------------------------------------
#
# Participants are a sample of people, and recordings a sample of what a path does to a clip. The variance has a part of
# either: V = V(recordings) + max(0, V(participants) − V(votes)), the two-way cluster-robust sandwich (Cameron, Gelbach,
# Miller 2011). Participants' and votes' parts are the jackknife's, in one step. With fewer than three recordings only
# participants are a sample, and the finding is about these recordings.

determined <- function(total, own) {
  # Whether every direction keeps some information, whichever group is left out.
  e <- eigen(total, symmetric = TRUE)
  if (min(e$values) <= 0) return(FALSE)
  whiten <- e$vectors %*% diag(1 / sqrt(e$values), nrow(total))
  for (g in seq_len(nrow(own))) {
    left <- total - matrix(own[g, ], nrow(total))
    kept <- eigen(t(whiten) %*% left %*% whiten, symmetric = TRUE, only.values = TRUE)$values
    if (min(kept) <= 1e-8) return(FALSE)
  }
  TRUE
}

jackknife <- function(scores, information, groups) {
  # `scores`: a row a vote, its share in the slope. `information`: a row a vote, its share in the curvature (p × p).
  own_scores <- rowsum(scores, groups)
  own <- rowsum(information, groups)
  p <- ncol(scores)
  total <- matrix(colSums(own), p)
  if (!determined(total, own)) return(NULL)
  change <- t(sapply(seq_len(nrow(own)), function(g) solve(total - matrix(own[g, ], p), own_scores[g, ])))
  change <- matrix(change, ncol = p)
  (nrow(own) - 1) / nrow(own) * colSums(change^2)
}

levelled <- function(one, groups) one - ave(one, groups) + mean(one)

effects_of <- function(x, participants, recordings) {
  # By how much each recording's own effect of 1 moves what is summed over each recording, once participants' levels are
  # taken out of votes: for each column of x a matrix, a row a recording that is summed over.
  apart <- sapply(sort(unique(recordings)), function(one) levelled((recordings == one) * 1, participants))
  lapply(seq_len(ncol(x)), function(k) rowsum(x[, k] * apart, recordings))
}

few_recordings <- function(scores, information, recordings, effects = NULL) {
  # The plain sandwich, freed of its bias, with the degrees of freedom of Bell and McCaffrey (2002), were recordings
  # to differ by an effect of their own each.
  own <- rowsum(information, recordings)
  sizes <- as.vector(rowsum(rep(1, nrow(scores)), recordings))
  p <- ncol(scores)
  total <- matrix(colSums(own), p)
  if (!determined(total, own)) return(NULL)
  inverse <- solve(total)
  own <- lapply(seq_along(sizes), function(g) matrix(own[g, ], p))
  change <- rowsum(scores, recordings) %*% inverse
  correction <- freedom <- numeric(p)
  if (!is.null(effects)) {
    # With a level for each participant, which takes a part of recordings' effects.
    moved <- inverse %*% t(sapply(effects, colSums))
    for (k in seq_len(p)) {
      fit <- t(sapply(own, function(one) inverse[k, ] %*% one %*% moved))
      changes <- Reduce(`+`, Map(`*`, effects, inverse[k, ])) - fit
      covariance <- tcrossprod(changes)
      correction[k] <- sum(moved[k, ]^2) / sum(diag(covariance))
      freedom[k] <- sum(diag(covariance))^2 / sum(covariance^2)
    }
    return(list(variance = colSums(change^2) * correction, freedom = freedom))
  }
  effect <- Map(`*`, own, sizes)
  middle <- inverse %*% Reduce(`+`, effect) %*% inverse
  true <- diag(middle)
  for (k in seq_len(p)) {
    by_effect <- matrix(sapply(effect, function(one) (one %*% inverse)[, k]), p)
    by_fit <- matrix(sapply(own, function(one) (one %*% inverse)[, k]), p)
    lone <- as.vector(inverse[k, ] %*% by_effect)
    taken <- t(by_effect) %*% inverse %*% by_fit
    covariance <- diag(lone, length(sizes)) - taken - t(taken) + t(by_fit) %*% middle %*% by_fit
    expected <- sum(diag(covariance))
    correction[k] <- true[k] / expected
    freedom[k] <- expected^2 / sum(covariance^2)
  }
  list(variance = colSums(change^2) * correction, freedom = freedom)
}

combined <- function(of_recordings, freedom, of_people, of_votes, people) {
  # Satterthwaite's degrees of freedom (1946), never fewer than those of the smaller part. What participants add is a
  # difference, and as uncertain as all that they differ by.
  own <- pmax(of_people - of_votes, 0)
  variance <- of_recordings + own
  sampled <- ifelse(own > 0, of_people, 0)
  satterthwaite <- variance^2 / (of_recordings^2 / freedom + sampled^2 / (people - 1))
  list(variance = variance, freedom = pmax(satterthwaite, pmin(freedom, people - 1), na.rm = TRUE))
}

student <- function(value, variance, freedom, level = confidence) {
  if (is.null(variance) || variance < 1e-18) return(NULL)
  error <- sqrt(variance)
  reach <- qt(0.5 + level / 2, freedom) * error
  list(value = value, error = error, freedom = freedom, low = value - reach, high = value + reach,
       p = 2 * pt(-abs(value) / error, freedom))
}

spread <- function(values, scores, information, participants, recordings, effects = NULL) {
  # For each parameter: `wide` (what is shown), `these` (of these recordings alone, where `wide` is about others too).
  people <- length(unique(participants)); heard <- length(unique(recordings))
  nothing <- rep(list(list(wide = NULL, these = NULL)), length(values))
  of_people <- jackknife(scores, information, participants)
  if (is.null(of_people) || people < 3) return(nothing)
  both <- NULL
  if (heard >= 3) {
    of_recordings <- few_recordings(scores, information, recordings, effects)
    if (!is.null(of_recordings)) {
      of_votes <- jackknife(scores, information, paste(participants, recordings, sep = "\r"))
      if (is.null(of_votes)) of_votes <- of_people
      both <- combined(of_recordings$variance, of_recordings$freedom, of_people, of_votes, people)
    }
  }
  lapply(seq_along(values), function(k) {
    these <- student(values[k], of_people[k], people - 1)
    crossed <- if (is.null(both)) NULL else student(values[k], both$variance[k], both$freedom[k])
    if (is.null(crossed)) list(wide = these, these = NULL) else list(wide = crossed, these = these)
  })
}

least_squares <- function(x, y, v, levels = FALSE) {
  # A list a column of x: its value, and how sure. NULL where the columns do not tell them apart. `levels`: with a level
  # for each participant as well.
  effects <- NULL
  if (levels && length(y)) {
    x <- apply(x, 2, levelled, v$participant); y <- levelled(y, v$participant)
    effects <- effects_of(x, v$participant, v$recording)
  }
  if (!length(y) || qr(x)$rank < ncol(x)) return(NULL)
  values <- as.vector(solve(crossprod(x), crossprod(x, y)))
  residual <- as.vector(y - x %*% values)
  information <- t(apply(x, 1, function(one) as.vector(one %o% one)))
  sure <- spread(values, residual * x, matrix(information, nrow(x)), v$participant, v$recording, effects)
  Map(function(value, told) c(list(value = value), told), values, sure)
}

# ---- 3  Shares --------------------------------------------------------------------------------------------------------

beta_ends <- function(hits, n, level) {
  # Clopper and Pearson (1934); needs no whole numbers.
  tail <- (1 - level) / 2
  c(if (hits > 0) qbeta(tail, hits, n - hits + 1) else 0,
    if (hits < n) qbeta(1 - tail, hits + 1, n - hits) else 1)
}

above_beta <- function(hits, n, bound) if (hits > 0) pbeta(bound, hits, n - hits + 1) else 1
below_beta <- function(hits, n, bound) if (hits < n) pbeta(bound, hits + 1, n - hits, lower.tail = FALSE) else 1

of_these <- function(hits, participants, level) {
  # Of these recordings: exact where everybody voted once, else Korn and Graubard (1998).
  n <- length(hits); share <- mean(hits); people <- length(unique(participants))
  if (people == n) {
    ends <- beta_ends(sum(hits), n, level)
    return(list(value = share, low = ends[1], high = ends[2], p = binom.test(sum(hits), n)$p.value, effective = n))
  }
  effective <- people
  if (share > 0 && share < 1 && people > 1) {
    sums <- rowsum(hits - share, participants)
    variance <- people / (people - 1) * sum(sums^2) / n^2
    if (variance > 0) effective <- share * (1 - share) / variance
    quantile <- 0.5 + level / 2
    effective <- effective * (qt(quantile, n - 1) / qt(quantile, people - 1))^2
  }
  effective <- min(max(effective, 1), n)
  k <- share * effective
  ends <- beta_ends(k, effective, level)
  p <- min(1, 2 * min(above_beta(k, effective, 0.5), below_beta(k, effective, 0.5)))
  list(value = share, low = ends[1], high = ends[2], p = p, effective = effective)
}

jackknife_mean <- function(deviation, groups) {
  sizes <- as.vector(rowsum(rep(1, length(deviation)), groups))
  change <- as.vector(rowsum(deviation, groups)) / (length(deviation) - sizes)
  (length(sizes) - 1) / length(sizes) * sum(change^2)
}

of_others <- function(hits, participants, recordings, level) {
  # Of other recordings as well: Wilson's interval (1927) at the effective number of votes, with Student's t.
  n <- length(hits); share <- mean(hits)
  people <- length(unique(participants)); heard <- length(unique(recordings))
  if (people < 3 || heard < 3 || share <= 0 || share >= 1) return(NULL)
  deviation <- hits - share
  # No share is known more finely than votes are counted (Sheppard 1898).
  of_recordings <- max(jackknife_mean(deviation, recordings), heard / 12 / n^2)
  of_votes <- jackknife_mean(deviation, paste(participants, recordings, sep = "\r"))
  both <- combined(of_recordings, heard - 1, jackknife_mean(deviation, participants), of_votes, people)
  wilson(share, share * (1 - share) / both$variance, both$freedom, level)
}

wilson <- function(share, effective, freedom, level) {
  t <- qt(0.5 + level / 2, freedom)
  middle <- (share + t^2 / (2 * effective)) / (1 + t^2 / effective)
  reach <- t * sqrt(share * (1 - share) / effective + (t / (2 * effective))^2) / (1 + t^2 / effective)
  list(value = share, low = max(0, middle - reach), high = min(1, middle + reach), effective = effective,
       freedom = freedom, p = 2 * pt(-abs(share - 0.5) * 2 * sqrt(effective), freedom))
}

share_of <- function(hits, participants, recordings = NULL, level = confidence) {
  if (!length(hits)) return(NULL)
  hits <- as.numeric(hits)
  these <- of_these(hits, participants, level)
  crossed <- if (is.null(recordings)) NULL else of_others(hits, participants, recordings, level)
  if (is.null(crossed)) list(value = these$value, wide = these, these = NULL)
  else list(value = crossed$value, wide = crossed, these = these)
}

p_above <- function(share, bound) {
  # One-sided, of "not above the bound".
  if (is.null(share$freedom)) return(above_beta(share$value * share$effective, share$effective, bound))
  pt(-(share$value - bound) / sqrt(bound * (1 - bound) / share$effective), share$freedom)
}

p_below <- function(share, bound) {
  if (is.null(share$freedom)) return(below_beta(share$value * share$effective, share$effective, bound))
  pt((share$value - bound) / sqrt(bound * (1 - bound) / share$effective), share$freedom)
}

too_few <- function(participants, low, high) {
  # Chance alone makes so many people agree, or the interval leaves nearly nothing out.
  2 * 0.5^participants > 1 - confidence || high - low > 0.9
}

# ---- 4  Davidson's model of preference, with ties and an order effect --------------------------------------------------
#
# With δ the log odds of b against a, ω those of the first presented, τ the log weight of "no difference": presented with
# a first, the answers first, second, none have the weights exp((−δ + ω)/2), exp((δ − ω)/2), exp(τ); with b first the
# sign of δ turns (Davidson 1970; Davidson and Beaver 1977).

told_of <- function(v) ifelse(v$preferred == "none", 3, ifelse((v$preferred == "b") == v$b_first, 1, 2))

likelihood <- function(toward, v) {
  # Of preferences that follow `toward`, a row a vote: what counts for b.
  given <- told_of(v)
  size <- ncol(toward)
  answers <- if (any(given == 3)) 3 else 2
  p <- size + answers - 1
  n <- nrow(v)
  x <- lapply(seq_len(answers), function(one) {
    sign <- c(1, -1, 0)[one] / 2
    m <- matrix(0, n, p)
    m[, seq_len(size)] <- ifelse(v$b_first, sign, -sign) * toward
    m[, size + 1] <- sign
    if (one == 3) m[, size + 2] <- 1
    m })
  chosen <- matrix(0, n, p)
  for (one in seq_len(answers)) chosen[given == one, ] <- x[[one]][given == one, ]
  ridge <- 1e-6                               # keeps what the votes do not bound from running away
  value <- function(at) {
    utility <- sapply(x, function(one) as.vector(one %*% at))
    top <- apply(utility, 1, max)
    sum(chosen %*% at - top - log(rowSums(exp(utility - top)))) - ridge * sum(at^2) / 2
  }
  derivatives <- function(at) {
    utility <- sapply(x, function(one) as.vector(one %*% at))
    weight <- exp(utility - apply(utility, 1, max))
    probability <- weight / rowSums(weight)
    mean <- Reduce(`+`, lapply(seq_len(answers), function(one) probability[, one] * x[[one]]))
    information <- matrix(0, n, p * p)
    for (one in seq_len(answers)) {
      apart <- x[[one]] - mean
      information <- information +
        probability[, one] * apart[, rep(seq_len(p), p)] * apart[, rep(seq_len(p), each = p)]
    }
    list(scores = chosen - mean, information = information)
  }
  summit <- function(fixed = integer(0), at = numeric(p)) {
    free <- setdiff(seq_len(p), fixed)
    height <- value(at)
    for (round in 1:100) {
      d <- derivatives(at)
      curve <- matrix(colSums(d$information), p)[free, free, drop = FALSE] + diag(ridge, length(free))
      step <- numeric(p)
      step[free] <- solve(curve, (colSums(d$scores) - ridge * at)[free])
      if (max(abs(step)) < 1e-9) break
      step <- step * min(1, 5 / max(abs(step)))
      while ((new <- value(at + step)) < height && max(abs(step)) > 1e-12) step <- step / 2
      at <- at + step; height <- new
    }
    at
  }
  list(p = p, value = value, derivatives = derivatives, summit = summit)
}

davidson <- function(v, pair = rep(1, nrow(v))) {
  pairs <- max(pair)
  shown <- unique(data.frame(pair, b_first = v$b_first))
  contrasts <- cbind(t(sapply(seq_len(nrow(shown)), function(i) {
    one <- numeric(pairs); one[shown$pair[i]] <- if (shown$b_first[i]) 1 else -1; one })), 1)
  if (pairs == 1) contrasts <- cbind(ifelse(shown$b_first, 1, -1), 1)
  if (all(told_of(v) == 3) || qr(contrasts)$rank < pairs + 1) return(NULL)
  model <- likelihood(1 * outer(pair, seq_len(pairs), `==`), v)
  p <- model$p; value <- model$value; derivatives <- model$derivatives; summit <- model$summit
  n <- nrow(v)
  at <- summit()
  once <- length(unique(v$participant)) == n
  sure <- rep(list(list(wide = NULL, these = NULL)), p)
  if (max(abs(at)) <= 10) {
    d <- derivatives(at)
    sure <- spread(at, d$scores, d$information, v$participant, v$recording)
  }
  profile <- function(k) {
    # Of these recordings, one vote each: where the likelihood falls by half of chi-squared's quantile.
    top <- value(at)
    drop <- function(there) { start <- at; start[k] <- there; 2 * (top - value(summit(k, start))) }
    excess <- function(there) drop(there) - qchisq(confidence, 1)
    end <- function(reach) if (excess(reach) > 0)
      uniroot(excess, sort(c(at[k], reach)), tol = 1e-9)$root else sign(reach) * Inf
    list(low = if (at[k] > -15) end(-15) else -Inf, high = if (at[k] < 15) end(15) else Inf,
         p = pchisq(max(0, drop(0)), 1, lower.tail = FALSE))
  }
  lapply(seq_len(p), function(k) {
    told <- sure[[k]]
    if (once && is.null(told$these)) told <- list(wide = profile(k), these = NULL)
    else if (!is.null(told$these) && k <= pairs + 1) told$wide <- of_odds(told$wide)
    c(list(value = if (abs(at[k]) <= 10) at[k] else sign(at[k]) * Inf), told)
  })
}

of_odds <- function(told) {
  # Log odds with Wilson's interval of the share that they stand for, as of shares that are counted.
  share <- plogis(told$value)
  found <- wilson(share, 1 / (share * (1 - share) * told$error^2), told$freedom, confidence)
  list(value = told$value, low = qlogis(found$low), high = qlogis(found$high), p = found$p)
}

as_share <- function(found, transform = plogis) {
  # Log odds as a share, which people can read.
  for (name in c("value")) found[[name]] <- transform(found[[name]])
  for (name in c("wide", "these")) if (!is.null(found[[name]]))
    found[[name]][c("low", "high")] <- lapply(found[[name]][c("low", "high")], transform)
  found
}
tie_share <- function(tau) 1 / (1 + 2 * exp(-tau))

# ---- 5  The findings, as rows -----------------------------------------------------------------------------------------

figures <- list()
add <- function(finding, block, subject, estimate, found, v = NULL, run = NA, tested = TRUE, adjusted = NA,
                participants = NULL) {
  if (is.null(found)) return(invisible())
  or_na <- function(x) if (is.null(x) || !length(x)) NA else x
  figures[[length(figures) + 1]] <<- data.frame(
    finding = finding, block = or_na(block), subject = subject, run = run, estimate = estimate,
    value = found$value, low = or_na(found$wide$low), high = or_na(found$wide$high),
    p_value = if (tested) or_na(found$wide$p) else NA, p_adjusted = adjusted,
    these_low = or_na(found$these$low), these_high = or_na(found$these$high),
    these_p = if (tested) or_na(found$these$p) else NA,
    votes = if (is.null(v)) NA else nrow(v),
    participants = if (!is.null(participants)) participants
                   else if (is.null(v)) NA else length(unique(v$participant)),
    recordings = if (is.null(v)) NA else length(unique(v$recording)), stringsAsFactors = FALSE)
}
count <- function(finding, block, subject, estimate, number, run = NA)
  add(finding, block, subject, estimate, list(value = number), run = run)

share_for_b <- function(v, level = confidence) {
  d <- v[v$preferred != "none", ]
  share_of(d$preferred == "b", d$participant, d$recording, level)
}
decided <- function(v) v[v$preferred != "none", ]
# Where all were presented in one order, whoever leans to a place seems to prefer what was there.
in_both_orders <- function(v) length(unique(v$b_first)) > 1
cmos <- function(v) least_squares(cbind(ifelse(v$b_first, -1, 1), 1), v$answer, v)
mean_of <- function(v, y) least_squares(matrix(1, nrow(v), 1), y, v)[[1]]

turned <- function(v) {
  # The same votes with a and b exchanged; what was presented first stays first.
  other <- v$a; v$a <- v$b; v$b <- other
  v$b_first <- !v$b_first
  v$preferred <- ifelse(v$preferred == "none", "none", ifelse(v$preferred == "a", "b", "a"))
  v
}
oriented <- function(v) ifelse(v$b_first, -v$answer, v$answer)

pair_findings <- function(finding, block, subject, v) {
  if (block$scale == "ccr") {
    scores <- oriented(v)
    count(finding, block$id, subject, "votes_a", sum(scores < 0))
    count(finding, block$id, subject, "votes_b", sum(scores > 0))
    count(finding, block$id, subject, "votes_none", sum(scores == 0))
    for (given in -3:3) count(finding, block$id, subject, paste0("score_", given), sum(scores == given))
    fit <- cmos(v)
    if (!is.null(fit)) {
      add(finding, block$id, subject, "mean", fit[[1]], v)
      add(finding, block$id, subject, "order_effect", fit[[2]], v)
    }
    return(invisible())
  }
  for (member in c("a", "b", "none"))
    count(finding, block$id, subject, paste0("votes_", member), sum(v$preferred == member))
  add(finding, block$id, subject, "share", share_for_b(v), decided(v), tested = in_both_orders(v))
  fit <- davidson(v)
  if (!is.null(fit)) {
    add(finding, block$id, subject, "preference", as_share(fit[[1]]), v)
    add(finding, block$id, subject, "order_effect", as_share(fit[[2]]), v)
    if (length(fit) > 2) add(finding, block$id, subject, "ties", as_share(fit[[3]], tie_share), v, tested = FALSE)
  }
}

share_right <- function(v, level = confidence) share_of(v$right, v$participant, v$recording, level)
right_findings <- function(finding, block, subject, v) {
  count(finding, block$id, subject, "votes_right", sum(v$right))
  count(finding, block$id, subject, "votes_wrong", sum(!v$right))
  add(finding, block$id, subject, "share_right", share_right(v), v)
}

by_run <- function(finding, block, subject, v, estimate, fit, counted = identity, tested = function(v) TRUE) {
  # Run by run, where there are several.
  if (length(unique(v$run)) < 2) return(invisible())
  for (run in sort(unique(v$run))) {
    mine <- v[v$run == run, ]
    count(finding, block$id, subject, "votes", nrow(mine), run = run)
    add(finding, block$id, subject, estimate, fit(mine), counted(mine), run = run, tested = tested(mine))
  }
}
cmos_of_run <- function(v) { fit <- cmos(v); if (is.null(fit)) NULL else fit[[1]] }

compared <- function(v) {
  # By two conditions; a trial that turns them round is turned back.
  found <- list()
  for (trial in unique(v$trial)) {
    mine <- v[v$trial == trial, ]
    key <- paste(mine$a[1], mine$b[1], sep = "/"); back <- paste(mine$b[1], mine$a[1], sep = "/")
    if (back %in% names(found)) found[[back]] <- rbind(found[[back]], turned(mine))
    else found[[key]] <- rbind(found[[key]], mine)
  }
  found
}

opinion_difference <- function(v, one, other) {
  # MOS of the other minus MOS of the one, over the clips heard with both, with a level for each clip and participant.
  both <- sort(intersect(v$material[v$rated == one], v$material[v$rated == other]))
  mine <- v[v$rated %in% c(one, other) & v$material %in% both, ]
  if (!nrow(mine)) return(NULL)
  x <- cbind(mine$rated == other, sapply(both, function(clip) mine$material == clip)) * 1
  fit <- least_squares(x, mine$answer, mine, levels = TRUE)
  if (is.null(fit)) NULL else list(votes = mine, fit = fit[[1]])
}

# Two metrics against each other: what a unit of the second is worth in units of the first, the ratio of what either
# counts. Its interval is Fieller's (1954): every ratio of which the second's, less so much of the first's, is not told
# from nought.

fieller <- function(at, scores, information, v, effects = NULL) {
  p <- length(at)
  told <- function(ratio) {
    turn <- diag(p); turn[2, 1] <- ratio
    rotated <- t(apply(information, 1, function(one) as.vector(t(turn) %*% matrix(one, p) %*% turn)))
    moved <- effects
    if (!is.null(effects)) moved[[1]] <- effects[[1]] + ratio * effects[[2]]
    value <- at; value[2] <- at[2] - ratio * at[1]
    spread(value, scores %*% turn, rotated, v$participant, v$recording, moved)
  }
  first <- told(0)[[1]]$wide
  if (is.null(first) || first$low * first$high <= 0) return(NULL)
  ratio <- at[2] / at[1]
  above <- function(there) { rest <- told(there)[[2]]$wide; (if (is.null(rest)) 0 else rest$p) - (1 - confidence) }
  end <- function(side) {
    reach <- 0.01 * max(1, abs(ratio))
    while (above(ratio + side * reach) > 0) {
      reach <- 2 * reach
      if (reach > 1e4 * max(1, abs(ratio))) return(NULL)
    }
    # At the ratio itself nothing is left over, and p is 1.
    inner <- reach / 2
    if (above(ratio + side * inner) <= 0) inner <- 1e-9
    uniroot(above, sort(ratio + side * c(inner, reach)), tol = 1e-10)$root
  }
  low <- end(-1); high <- end(1)
  if (is.null(low) || is.null(high)) NULL else list(value = ratio, wide = list(low = low, high = high))
}

worth <- function(block, v) {
  # NULL where votes do not tell.
  at <- function(member) as.matrix(v[paste(member, weighed)])
  is_rated <- block$scale %in% ratings
  metrics <- if (!is_rated) at("b") - at("a") else ifelse(is.na(cbind(v$b, v$b)), at("a"), at("b"))
  known <- rowSums(is.na(metrics)) == 0 & (is_rated | v$kind == "pair")
  v <- v[known, ]; metrics <- unname(metrics[known, , drop = FALSE])
  if (!nrow(v)) return(NULL)
  units <- apply(abs(metrics), 2, max)
  if (any(units == 0)) return(NULL)
  x <- sweep(metrics, 2, units, `/`)
  if (is_rated) {
    x <- cbind(x, sapply(sort(unique(v$material)), function(clip) 1 * (v$material == clip)))
    x <- apply(x, 2, levelled, v$participant); y <- levelled(v$answer, v$participant)
    if (qr(x)$rank < ncol(x)) return(NULL)
    at <- as.vector(solve(crossprod(x), crossprod(x, y)))
    information <- t(apply(x, 1, function(one) as.vector(one %o% one)))
    found <- fieller(at, as.vector(y - x %*% at) * x, information, v, effects_of(x, v$participant, v$recording))
  } else {
    if (all(v$preferred == "none") || !in_both_orders(v) || qr(x)$rank < 2) return(NULL)
    model <- likelihood(x, v)
    at <- model$summit()
    if (max(abs(at)) > 10) return(NULL)
    d <- model$derivatives(at)
    found <- fieller(at, d$scores, d$information, v)
  }
  if (is.null(found)) return(NULL)
  scale <- units[1] / units[2]
  list(votes = v, fit = list(value = found$value * scale, wide = lapply(found$wide, `*`, scale)))
}

in_order <- function(block) {
  mine <- votes[votes$block == block$id & votes$kind %in% c("pair", "control", "single"), ]
  mine[order(match(mine$trial, unlist(block$trials))), ]
}

primary <- unlist(plan$primary)
for (block in plan$blocks) {
  if (block$scale == "mushra") next   # below, by itself
  mine <- in_order(block)
  asked <- mine[!(mine$kind %in% c("control", "level")), ]
  pairs <- asked[asked$scale %in% preferences, ]
  told_apart <- asked[asked$scale == "abx", ]
  rated <- asked[asked$scale %in% ratings, ]
  alike <- mine[mine$kind == "control", ]
  if (nrow(pairs)) for (trial in unique(pairs$trial)) {
    v <- pairs[pairs$trial == trial, ]
    pair_findings("trial", block, trial, v)
    with_alike <- rbind(v, alike[alike$trial == trial, ])
    if (block$scale == "ccr") by_run("trial", block, trial, with_alike, "mean", cmos_of_run)
    else by_run("trial", block, trial, with_alike, "share", share_for_b, decided, in_both_orders)
  }
  for (subject in names(of_two <- compared(pairs))) {
    v <- of_two[[subject]]
    pair_findings("comparison", block, subject, v)
    if (block$scale == "preference") {
      # Participants as the unit: who voted more often for b than for a.
      lean <- rowsum(c(a = -1, none = 0, b = 1)[v$preferred], v$participant)[, 1]
      lean <- lean[lean != 0]
      found <- share_of(lean > 0, names(lean))
      add("comparison", block$id, subject, "majority", found, v, participants = length(lean),
          tested = in_both_orders(v))
      for (member in c("a", "b")) {
        said <- v[!is.na(v$noticeable) & v$preferred == member, ]
        if (!nrow(said)) next
        about <- paste(subject, "preferring", said[[member]][1])
        for (step in 1:4) count("noticeable", block$id, about, paste0("step_", step), sum(said$noticeable == step))
        add("noticeable", block$id, about, "mean", mean_of(said, said$noticeable), said, tested = FALSE)
      }
    }
  }
  for (trial in unique(told_apart$trial)) {
    v <- told_apart[told_apart$trial == trial, ]
    right_findings("trial", block, trial, v)
    by_run("trial", block, trial, v, "share_right", share_right)
  }
  for (subject in names(of_two <- compared(told_apart)))
    right_findings("comparison", block, subject, of_two[[subject]])
  if (nrow(pairs)) {
    # The order effect over the whole block, each pair with a preference of its own.
    key <- paste(pairs$a, pairs$b, sep = "/")
    pair <- match(key, unique(key))
    if (block$scale == "ccr") {
      x <- matrix(0, nrow(pairs), max(pair) + 1)
      x[cbind(seq_len(nrow(pairs)), pair)] <- ifelse(pairs$b_first, -1, 1)
      x[, max(pair) + 1] <- 1
      fit <- least_squares(x, pairs$answer, pairs)
      if (!is.null(fit)) add("order", block$id, block$id, "effect", fit[[max(pair) + 1]], pairs)
    } else {
      fit <- davidson(pairs, pair)
      if (!is.null(fit)) add("order", block$id, block$id, "effect", as_share(fit[[max(pair) + 1]]), pairs)
    }
  }
  for (name in unique(rated$rated)) {
    v <- rated[rated$rated == name, ]
    mos <- function(subject, v) {
      for (given in 1:5) count("condition", block$id, subject, paste0("score_", given), sum(v$answer == given))
      add("condition", block$id, subject, "mos", mean_of(v, v$answer), v, tested = FALSE)
      if (length(unique(v$material)) == 1)
        by_run("condition", block, subject, v, "mos", function(one) mean_of(one, one$answer),
               tested = function(v) FALSE)
    }
    mos(name, v)
    if (length(unique(v$material)) > 1)
      for (clip in unique(v$material)) mos(paste(name, "with", clip), v[v$material == clip, ])
  }
  if (length(unique(rated$rated)) > 1) for (two in combn(unique(rated$rated), 2, simplify = FALSE)) {
    declared <- rated[rated$trial %in% primary, ]
    decisive <- all(two %in% declared$rated)
    found <- opinion_difference(if (decisive) declared else rated, two[1], two[2])
    if (!is.null(found))
      add("difference", block$id, paste(two, collapse = "/"), "difference", found$fit, found$votes)
  }
  if (nrow(alike) && block$scale %in% c(preferences, "dcr")) {
    # Controls: the same twice, where no difference is a true one.
    none <- switch(block$scale, ccr = alike$answer == 0, dcr = alike$answer == 5, alike$preferred == "none")
    if (block$scale %in% c("ccr", "dcr") || block$no_difference)
      add("control", block$id, block$id, "false_differences",
          share_of(!none, alike$participant, alike$recording), alike, tested = FALSE)
    if (block$scale == "ccr") add("control", block$id, block$id, "side", mean_of(alike, alike$answer), alike)
    if (block$scale == "preference") {
      chose <- alike[!none, ]
      firsts <- (chose$preferred == "b") == chose$b_first
      add("control", block$id, block$id, "side", share_of(firsts, chose$participant, chose$recording), chose)
    }
    said <- alike[!is.na(alike$noticeable), ]
    if (nrow(said)) {
      for (step in 1:4) count("noticeable", block$id, "controls", paste0("step_", step), sum(said$noticeable == step))
      add("noticeable", block$id, "controls", "mean", mean_of(said, said$noticeable), said, tested = FALSE)
    }
  }
  # Not of ratings by a reference on one page, nor of what is compared in points.
  if (length(weighed) && paste("a", weighed[1]) %in% names(votes) && block$scale %in% c("preference", "acr", "dcr")) {
    found <- worth(block, asked)
    if (!is.null(found))
      add("weighed", block$id, paste(weighed, collapse = "/"), "worth", found$fit, found$votes, tested = FALSE)
  }
  for (trial in unique(alike$trial[alike$same_bytes]))
    count("same_bytes", block$id, trial, "votes", sum(alike$same_bytes & alike$trial == trial))
}

# ---- 6  What was declared to decide -------------------------------------------------------------------------------------

counted <- votes[votes$kind %in% c("pair", "control", "single", "level"), ]
scale_of <- function(trial) for (block in plan$blocks) if (trial %in% unlist(block$trials)) return(block$scale)

# Corrected over what is shown together: Holm (1979); of one hypothesis' difference and equivalence only one can be
# false, so that what is left of it counts once (Shaffer 1986).
step_down <- function(p, owner) {
  adjusted <- p; running <- 0; order <- order(p)
  for (rank in seq_along(order)) {
    left <- length(unique(owner[order[rank:length(order)]]))
    running <- max(running, min(1, left * p[order[rank]]))
    adjusted[order[rank]] <- running
  }
  adjusted
}

compare <- function(one) {
  trials <- if (is.null(one$trial)) unlist(one$trials) else one$trial
  mine <- counted[counted$trial %in% trials & counted$kind != "control", ]
  if (!nrow(mine)) return(NULL)
  with_student <- function(fit, v) {
    t <- fit$wide
    tails <- if (is.null(t)) NULL else list(
      above = function(bound) pt((bound - t$value) / t$error, t$freedom),
      below = function(bound) pt((t$value - bound) / t$error, t$freedom))
    reach <- if (is.null(t)) NA else qt(0.5 + (2 * confidence - 1) / 2, t$freedom) * t$error
    list(fit = fit, votes = v, null = 0, p = if (is.null(t)) NA else t$p, tails = tails,
         ends = if (is.null(t)) c(NA, NA) else t$value + c(-1, 1) * reach)
  }
  if (one$compares == "control") {
    alike <- counted[counted$trial %in% unlist(one$controls), ]
    v <- rbind(mine, alike)
    told <- if (scale_of(trials[1]) == "ccr") v$answer != 0 else v$preferred != "none"
    fit <- least_squares(cbind(c(rep(1, nrow(mine)), rep(0, nrow(alike))), 1), as.numeric(told), v)
    return(if (is.null(fit)) NULL else with_student(fit[[1]], v))
  }
  two <- if (one$compares == "pair") c(mine$a[1], mine$b[1]) else unlist(one$conditions)
  if (one$compares == "opinion") {
    found <- opinion_difference(mine, two[1], two[2])
    return(if (is.null(found)) NULL else c(with_student(found$fit, found$votes), list(two = two)))
  }
  other <- mine$a != two[1]
  if (any(other)) mine[other, ] <- turned(mine[other, ])
  if (scale_of(trials[1]) == "ccr") {
    fit <- cmos(mine)
    return(if (is.null(fit)) NULL else c(with_student(fit[[1]], mine), list(two = two)))
  }
  on_abx <- scale_of(trials[1]) == "abx"
  share <- if (on_abx) share_right else share_for_b
  fit <- share(mine)
  if (is.null(fit)) return(NULL)
  d <- if (on_abx) mine else decided(mine)
  if (too_few(length(unique(d$participant)), fit$wide$low, fit$wide$high) || !(on_abx || in_both_orders(mine)))
    return(list(fit = fit, votes = d, null = 0.5, p = NA, tails = NULL, ends = c(NA, NA), two = two))
  narrow <- share(mine, 2 * confidence - 1)$wide
  list(fit = fit, votes = d, null = 0.5, p = fit$wide$p, ends = c(narrow$low, narrow$high), two = two,
       tails = list(above = function(bound) p_above(narrow, bound), below = function(bound) p_below(narrow, bound)))
}

tests <- lapply(plan$hypotheses, function(one) {
  found <- compare(one)
  difference <- equivalence <- NA
  if (!is.null(found$tails)) {
    difference <- if (one$direction == "two_sided") found$p
      else if (one$compares == "control" || one$direction %in% c("right", found$two[2])) found$tails$above(found$null)
      else found$tails$below(found$null)
    if (!is.null(one$smallest_effect))
      equivalence <- max(found$tails$above(found$null - one$smallest_effect),
                         found$tails$below(found$null + one$smallest_effect))
  }
  list(one = one, found = found, difference = difference, equivalence = equivalence)
})
adjusted <- list()
if (plan$rule == "any" && length(tests) > 1) {
  p <- owner <- what <- c()
  for (i in seq_along(tests)) {
    p <- c(p, tests[[i]]$difference); owner <- c(owner, i); what <- c(what, "difference")
    if (!is.null(tests[[i]]$one$smallest_effect)) {
      p <- c(p, tests[[i]]$equivalence); owner <- c(owner, i); what <- c(what, "equivalence")
    }
  }
  down <- step_down(ifelse(is.na(p), 1, p), owner)
  for (k in seq_along(p)) if (!is.na(p[k])) adjusted[[paste(owner[k], what[k])]] <- down[k]
}
for (i in seq_along(tests)) {
  t <- tests[[i]]
  if (is.null(t$found)) next
  of <- function(what) { p <- adjusted[[paste(i, what)]]; if (is.null(p)) NA else p }
  shown <- t$found$fit; shown$wide$p <- t$difference
  add("hypothesis", NULL, t$one$id, "difference", shown, t$found$votes, adjusted = of("difference"))
  figures[[length(figures)]]$these_p <- NA
  add("hypothesis", NULL, t$one$id, "equivalence",
      list(value = shown$value, wide = list(low = t$found$ends[1], high = t$found$ends[2], p = t$equivalence)),
      adjusted = of("equivalence"))
}

# ---- 7  Published counts beside our own -----------------------------------------------------------------------------------

beta_binomial_quantile <- function(q, n, alpha, beta) {
  k <- 0:n
  p <- exp(lchoose(n, k) + lbeta(k + alpha, n - k + beta) - lbeta(alpha, beta))
  k[which(cumsum(p) >= q - 1e-12)[1]]
}
for (one in plan$published) {
  ends <- beta_ends(one$count, one$of, confidence)
  add("published", NULL, one$trial, "published", list(value = one$count / one$of, wide = list(low = ends[1], high = ends[2])))
  v <- counted[counted$trial == one$trial & counted$kind == "pair", ]
  if (one$among != "all") v <- v[v$preferred != "none", ]
  if (!nrow(v)) next
  picked <- ifelse(v$preferred == "none", NA, ifelse(v$preferred == "a", v$a, v$b))
  hits <- sum(picked == one$preferred, na.rm = TRUE)
  ends <- beta_ends(hits, nrow(v), confidence)
  add("published", NULL, one$trial, "ours", list(value = hits / nrow(v), wide = list(low = ends[1], high = ends[2])))
  # In a replication of the size of ours, by chance alone: beta-binomial with Jeffreys' prior.
  tail <- (1 - confidence) / 2
  span <- sapply(c(tail, 1 - tail), beta_binomial_quantile, nrow(v), one$count + 0.5, one$of - one$count + 0.5)
  add("published", NULL, one$trial, "predicted",
      list(value = (one$count + 0.5) / (one$of + 1), wide = list(low = span[1] / nrow(v), high = span[2] / nrow(v))))
}

# (kinds of results)
people <- read.csv(Sys.glob(inside("data", "*_description-participants_data.csv")),
                   na.strings = "", colClasses = "character", encoding = "UTF-8")
persons <- people[people$participant_kind == "person", ]
count("study", NULL, "study", "participants_analysed", length(unique(counted$participant)))
count("study", NULL, "study", "participants_excluded", sum(persons$excluded == "true"))
count("study", NULL, "study", "votes_analysed", nrow(counted))
left_out <- function(why) length(unique(everything$vote[!is.na(everything$left_out) & everything$left_out == why]))
count("study", NULL, "study", "votes_of_unfinished_sessions", left_out("unfinished"))
count("study", NULL, "study", "votes_of_other_versions", left_out("other_version"))

found <- if (length(figures)) do.call(rbind, figures) else stop("There are no votes to analyse.")

# Trials and differences that were declared as primary are corrected together.
declared <- votes$rated[votes$trial %in% primary & votes$scale %in% ratings]
is_primary <- is.na(found$run) & !is.na(found$p_value) & (
  found$finding == "trial" & found$subject %in% primary & found$estimate %in% c("share", "mean", "share_right") |
  found$finding == "difference" & sapply(strsplit(found$subject, "/"), function(two) all(two %in% declared)))
if (plan$correction == "holm" && any(is_primary))
  found$p_adjusted[is_primary] <- p.adjust(found$p_value[is_primary], "holm")

dir.create(inside("results"), showWarnings = FALSE)
write.csv(found, inside("results", "figures_r.csv"), row.names = FALSE, na = "")

# ---- 8  Plots ---------------------------------------------------------------------------------------------------------------

pdf(inside("results", "plots_r.pdf"), width = 8, height = 6)
forest <- function(title, which, null, range) {
  shown <- found[which & is.na(found$run), ]
  if (!nrow(shown)) return(invisible())
  par(mar = c(4, 16, 3, 1))
  y <- rev(seq_len(nrow(shown)))
  plot(shown$value, y, xlim = range, ylim = c(0.5, nrow(shown) + 0.5), yaxt = "n", pch = 19,
       xlab = paste0(100 * confidence, " % CI"), ylab = "", main = title)
  segments(shown$low, y, shown$high, y)
  abline(v = null, lty = 3)
  axis(2, y, shown$subject, las = 1, cex.axis = 0.7)
}
forest("Share for b among votes with a preference", found$estimate == "share", 0.5, c(0, 1))
forest("Share of right answers", found$estimate == "share_right", 0.5, c(0, 1))
forest("Share for b, order effect taken out (Davidson)", found$estimate == "preference", 0.5, c(0, 1))
forest("CMOS of b against a, order effect taken out", found$estimate == "mean" & found$finding != "noticeable", 0, c(-3, 3))
forest("Mean opinion score", found$estimate == "mos", NA, c(1, 5))
forest("Difference of mean opinion scores", found$finding == "difference", 0, c(-4, 4))
answers <- found[grepl("^(votes_(a|none|b)|score_-?[0-9]|step_[0-9])$", found$estimate) & found$finding != "comparison", ]
for (subject in unique(paste(answers$finding, answers$subject))) {
  shown <- answers[paste(answers$finding, answers$subject) == subject, ]
  par(mar = c(4, 4, 3, 1))
  barplot(shown$value, names.arg = sub("^(votes|score|step)_", "", shown$estimate), main = subject, ylab = "votes")
}
invisible(dev.off())

# ---- 9  Other models, for comparison --------------------------------------------------------------------------------------
#
# These are not the page's models, and their numbers need not be the page's: an effect in a mixed model is that for one
# listener and one recording, which lies further from nought than the average over all of them.

if (requireNamespace("lme4", quietly = TRUE) && requireNamespace("ordinal", quietly = TRUE)) {
  others <- list()
  note <- function(model, subject, term, value, error, p) others[[length(others) + 1]] <<- data.frame(
    model = model, subject = subject, term = term, value = value, standard_error = error, p_value = p)
  attempt <- function(fit) tryCatch(suppressMessages(suppressWarnings(fit)), error = function(e) NULL)
  for (block in plan$blocks) {
    mine <- in_order(block)
    asked <- mine[!(mine$kind %in% c("control", "level")), ]
    of_two <- compared(asked[asked$scale %in% preferences, ])
    for (subject in names(of_two)) {
      v <- of_two[[subject]]
      v$order <- ifelse(v$b_first, 0.5, -0.5)
      if (block$scale == "preference") {
        v <- decided(v); v$for_b <- as.numeric(v$preferred == "b")
        fit <- attempt(lme4::glmer(for_b ~ order + (1 | participant) + (1 | recording), v, family = "binomial"))
        if (!is.null(fit)) { k <- coef(summary(fit))["(Intercept)", ]
          note("logistic, participants and recordings at random (lme4)", subject, "log odds of b", k[1], k[2], k[4]) }
      } else {
        v$given <- factor(oriented(v), -3:3, ordered = TRUE)
        v$participant <- factor(v$participant); v$recording <- factor(v$recording)
        v$given <- droplevels(v$given)
        fit <- attempt(ordinal::clmm(given ~ order + (1 | participant) + (1 | recording), v))
        middle <- c("-1|0", "0|1")            # the scale's middle lies between these thresholds
        if (!is.null(fit) && all(middle %in% names(coef(fit)))) {
          value <- -mean(coef(fit)[middle]); error <- sqrt(sum(vcov(fit)[middle, middle])) / 2
          note("ordinal, participants and recordings at random (ordinal)", subject, "latent preference for b",
               value, error, 2 * pnorm(-abs(value / error))) }
        v$y <- oriented(v)
        fit <- attempt(lme4::lmer(y ~ order + (1 | participant) + (1 | recording), v))
        if (!is.null(fit)) { k <- coef(summary(fit))["(Intercept)", ]
          note("linear, participants and recordings at random (lme4)", subject, "CMOS", k[1], k[2], NA) }
      }
    }
    rated <- asked[asked$scale %in% ratings, ]
    if (block$scale != "mushra" && length(unique(rated$rated)) > 1) {
      rated$condition <- factor(rated$rated, unique(rated$rated))
      rated$given <- droplevels(factor(rated$answer, 1:5, ordered = TRUE))
      rated$participant <- factor(rated$participant); rated$recording <- factor(rated$recording)
      fit <- attempt(ordinal::clmm(given ~ condition + (1 | participant) + (1 | recording), rated))
      if (!is.null(fit)) for (term in grep("^condition", rownames(coef(summary(fit))), value = TRUE)) {
        k <- coef(summary(fit))[term, ]
        note("ordinal, participants and recordings at random (ordinal)", block$id, term, k[1], k[2], k[4]) }
    }
  }
  if (length(others)) write.csv(do.call(rbind, others), inside("results", "other_models_r.csv"), row.names = FALSE, na = "")
}

# ---- 10  Beside the page ------------------------------------------------------------------------------------------------------

page <- read.csv(inside("results", "figures_page.csv"), na.strings = "", encoding = "UTF-8")
key <- function(one) paste(one$finding, one$block, one$subject, one$run, one$estimate)
both <- match(key(page), key(found))
numbers <- c("value", "low", "high", "p_value", "p_adjusted", "these_low", "these_high", "these_p")
apart <- abs(as.matrix(page[numbers]) - as.matrix(found[both, numbers]))
cat(sprintf("%d figures; %d of the page's %d are among them; largest difference %.2g\n",
            nrow(found), sum(!is.na(both)), nrow(page), max(0, apart[is.finite(apart)])))
