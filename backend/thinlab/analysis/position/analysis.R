# Position in the session: do answers change in its course? Each trial has a level of its own, which is taken out of its
# answers and of its positions. Per ten trials later.
votes$position <- as.numeric(a$position)[match(votes$vote, as.integer(a$vote))]
change <- function(block, name, v, values) {
  if (!nrow(v) || all(tapply(v$position, v$trial, function(one) length(unique(one))) < 2)) return(invisible())
  apart <- function(one) one - ave(one, v$trial)
  fit <- least_squares(matrix(apart(v$position / 10)), apart(as.numeric(values)), v)
  if (!is.null(fit)) add("position", block$id, block$id, name, fit[[1]], v)
}
for (block in plan$blocks) {
  mine <- in_order(block)
  pairs <- mine[mine$kind == "pair", ]
  rated <- mine[mine$kind != "control", ]
  if (block$scale == "preference") {
    change(block, "answer", decided(pairs), decided(pairs)$preferred == "b")
    if (block$no_difference) change(block, "told", pairs, pairs$preferred != "none")
  } else if (block$scale == "ccr") {
    change(block, "answer", pairs, oriented(pairs))
    change(block, "told", pairs, pairs$answer != 0)
  } else if (block$scale %in% ratings) change(block, "answer", rated, rated$answer)
}
