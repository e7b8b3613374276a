# Sounds that were rated beside their reference, 0 … 100 (ITU-R BS.1534-3): median and quartiles by linear interpolation,
# whiskers after Tukey (1977), and the mean.
for (block in plan$blocks) if (block$scale == "mushra") {
  rated <- in_order(block)
  spread_of <- function(subject, v) {
    quartiles <- unname(quantile(v$answer, c(0.25, 0.5, 0.75), type = 7))
    reach <- 1.5 * (quartiles[3] - quartiles[1])
    within <- v$answer[v$answer >= quartiles[1] - reach & v$answer <= quartiles[3] + reach]
    count("beside", block$id, subject, "median", quartiles[2])
    count("beside", block$id, subject, "lower_quartile", quartiles[1])
    count("beside", block$id, subject, "upper_quartile", quartiles[3])
    count("beside", block$id, subject, "lower_whisker", min(within))
    count("beside", block$id, subject, "upper_whisker", max(within))
    add("beside", block$id, subject, "mean", mean_of(v, v$answer), v, tested = FALSE)
  }
  # The hidden reference first, as on the page.
  names_of <- unique(rated$rated)
  names_of <- c(names_of[names_of == block$reference], names_of[names_of != block$reference])
  for (name in names_of) {
    v <- rated[rated$rated == name, ]
    spread_of(name, v)
    if (length(unique(v$material)) > 1)
      for (clip in unique(v$material)) spread_of(paste(name, "with", clip), v[v$material == clip, ])
  }
  declared <- rated[rated$trial %in% primary, ]
  if (length(names_of) > 1) for (two in combn(names_of, 2, simplify = FALSE)) {
    decisive <- all(two %in% declared$rated)
    found <- opinion_difference(if (decisive) declared else rated, two[1], two[2])
    if (!is.null(found))
      add("difference", block$id, paste(two, collapse = "/"), "difference", found$fit, found$votes)
  }
}
