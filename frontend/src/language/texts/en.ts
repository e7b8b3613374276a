// English: the language that every other one is measured by.
// `{name}` is a place that the page fills.
// SPDX-License-Identifier: Apache-2.0

const english = {
  "loading.title": "One moment",
  "loading.text": "The study is being loaded.",
  preview: "Preview: these answers do not count.",
  again: "Try again",
  "go.on": "Go on",

  "missing.title": "There is no study at this address",
  "missing.text": "Please check the address that you were given: a letter may be missing.",
  "closed.title": "This study is closed",
  "closed.text": "“{title}” takes no more participants. Thank you for your interest.",
  "full.title": "This study has all the listeners it needs",
  "full.text":
    "“{title}” has no free place just now. When somebody does not finish, their place becomes free again: you are welcome to look once more later.",
  "full.again": "Look again",
  "preparing.title": "This study is being prepared",
  "preparing.text":
    "The recordings are being made. This page goes on by itself as soon as they are ready.",
  "invitation.needed.title": "This study is by invitation",
  "invitation.needed.text":
    "Please open the link from your invitation. It ends in a code of its own, which lets you in.",
  "invitation.used.title": "This invitation has been used",
  "invitation.used.text":
    "Each invitation is for one person, and the participation that began with this one has ended or was withdrawn. Please ask whoever invited you for a new one.",
  "invitation.unknown.title": "We do not know this invitation",
  "invitation.unknown.text":
    "A letter of the link may be missing. Please open it once more from your message, or ask whoever invited you.",
  "forgotten.title": "We do not know this participation any more",
  "forgotten.text":
    "This browser took part before, but the study’s server does not know it: the study may have been set up anew. You can start from the beginning.",
  "forgotten.again": "Start from the beginning",
  "failed.title": "This did not work",
  "failed.text":
    "The study’s server did not take what this page sent. Your answers are still on this device.",

  language: "Language",
  "consent.heading": "Before you begin",
  "consent.minutes": "About {minutes} minutes",
  "consent.one_minute": "About one minute",
  "consent.trials": "Trials: {trials}",
  "consent.headphones": "With headphones",
  "consent.stored.heading": "What is stored",
  "consent.stored.text":
    "Your answers, how you played the recordings (which, when, how often you switched), how long you took, the outcome of the sound check, the delay of your sound output, and the language of this page. Not your name, not your address, nothing else about your device.",
  "consent.stored.typing":
    "Your answers; of each key, when you pressed and released it, what kind of key it was (a letter, Backspace, an arrow…) and when its effect was on your screen; whether you looked away; how fast and steady your connection was; how long you took; and the language of this page. Not your name, not your address, nothing else about your device.",
  "consent.stored.text_not_kept": "What you type is not kept.",
  "consent.stored.text_kept": "What you type is kept as well. Please type nothing private.",
  "consent.retention":
    "What links this browser to your answers is erased {days} days after you begin.",
  "consent.leave.heading": "If you change your mind",
  "consent.leave.text":
    "You may stop at any moment by closing this page. You may also withdraw, now or later: the link “Withdraw” is at the foot of each page, and at the end you get it to keep. All your answers are then deleted.",
  "contact.heading": "Questions?",
  "consent.changed": "This text has changed meanwhile. Please read it once more.",
  "consent.agree": "I have read this and agree to take part.",
  "consent.begin": "Begin",
  "consent.joining": "Joining…",
  "consent.version": "Consent text, version {version}",

  "sound.title": "Set your sound",
  "sound.lead.headphones": "Please put on headphones and sit in a quiet place.",
  "sound.lead.any": "Please use headphones if you have any, and sit in a quiet place.",
  "sound.lead.level":
    "Play the voice and make it as loud as you would like to hear someone on the telephone. Then leave it there.",
  "sound.play": "Play the voice",
  "sound.stop": "Stop the voice",
  "sound.loading": "Loading the voice…",
  "sound.repeats": "The voice repeats until you stop it.",
  "sound.blocked.title": "Your browser does not let the sound start",
  "sound.blocked.text":
    "Check that no other program holds your headphones, and that this page may play sound. Then press “Play the voice” again.",
  "sound.level": "Level",
  "sound.percent": "{percent} percent",
  "sound.louder": "Too quiet at the right end? Turn up the volume of your device as well.",
  "sound.heard": "I hear the voice clearly, at a comfortable level.",
  "sound.play_first": "Play the voice first.",

  "headphones.title": "Are your headphones on?",
  "headphones.why.required": "This study can only use answers that were heard through headphones.",
  "headphones.why.asked": "We would like to know whether you hear through headphones.",
  "headphones.how":
    "There are {rounds} short rounds. In each, a noise sounds three times, and in one of the three there is a faint steady tone. The tone comes about between your two ears, so that loudspeakers do not make it. Say each time which one it was. Guess if you are not sure.",
  "headphones.begin": "Begin the test",
  "headphones.none": "I have no headphones",
  "headphones.later":
    "You can come back with headphones: open this page again and go on from here.",
  "headphones.found": "I have some after all",
  "headphones.round": "Round {round} of {rounds}",
  "headphones.play": "Play the three noises",
  "headphones.playing": "Noise {number} of 3 is playing.",
  "headphones.which": "In which was the tone?",
  "headphones.option": "Noise {number}",
  "headphones.confirm": "Confirm",
  "headphones.again.title": "That did not work out yet",
  "headphones.again.text":
    "Please check that both sides of your headphones are on your ears and play, that no “mono” or “surround” effect is switched on, and that it is quiet around you. Then try once more.",
  "headphones.again": "Try once more",
  "headphones.failed.title": "This study needs headphones",
  "headphones.failed.text":
    "The test could not tell that you hear through headphones, so this study cannot go on with you. It says nothing about how well you hear: a mono setting, one silent side or a noisy room is enough.",
  "headphones.failed.thanks": "Thank you for your time. You have nothing more to do.",

  "questions.before": "A few questions first",
  "questions.after": "A few questions at the end",
  "questions.needed": "(needed)",
  "questions.several": "Choose all that apply.",
  "questions.range": "A whole number from {minimum} to {maximum}.",
  "questions.length": "Characters left: {count}",
  "questions.unanswered": "Please answer this question.",
  "questions.unfitting": "This answer does not fit the question.",
  "questions.some": "Some answers are missing or cannot be right. They are marked below.",

  "introduction.training": "First, a warm-up",
  "introduction.title": "What comes now",
  "introduction.begin": "Begin",
  "rest.title": "Time for a pause",
  "rest.text": "You have done {done} of {total}. What you answered is safe.",
  "rest.advice.typing": "Rest your hands for a minute, and go on when you like.",
  "rest.advice": "Rest your ears for a minute, and go on when you like.",

  "trial.title": "Trial {position} of {total}",
  "trial.training": "Warm-up: this answer does not count.",
  "trial.loading": "The recordings are being loaded.",
  "trial.loaded": "Recordings loaded",
  "trial.broken.title": "The recordings could not be opened",
  "trial.broken.text":
    "Please load this page again. If it stays like this, tell whoever invited you.",
  "trial.how.free":
    "You will hear two recordings of the same passage. Listen as long as you like, and change between them at any moment: the other one goes on where you are.",
  "trial.how.in_turn":
    "You will hear two recordings of the same passage, one after the other. You may hear them as often as you like.",
  "trial.how.one": "You will hear one recording. You may hear it as often as you like.",

  "check.title": "Two short checks",
  "check.lead":
    "In this study you type. So we look whether there is a keyboard, and whether your connection lets you feel what we ask about.",
  "check.keyboard": "Your keyboard",
  "check.keyboard.ask": "Press these keys, one after the other.",
  "check.keyboard.good": "Your keyboard works.",
  "check.keyboard.none": "No keyboard on this device?",
  "check.keyboard.none.text":
    "A telephone’s own keyboard is not enough here. Go on at a computer: open this link there, and you begin where you are now. Keep it to yourself.",
  "check.word": "house",
  "check.connection": "Your connection",
  "check.connection.running": "Being measured. It takes a few seconds.",
  "check.connection.good": "Good: there and back in {rtt} ms.",
  "check.connection.poor":
    "Not steady enough just now: there and back in {rtt} ms, give or take {jitter} ms.",
  "check.connection.advice":
    "Stop downloads and video calls, switch off a VPN, go nearer to the Wi-Fi or use a cable. Then measure once more.",
  "check.connection.lost": "The server could not be reached.",
  "check.connection.again": "Measure again",
  "check.failed.title": "This connection is too slow to feel the difference",
  "check.failed.text":
    "Your way to our server alone takes so long, or varies so much, that it would hide what this study asks about. It says nothing about you, and nothing is wrong with your device.",
  "check.failed.thanks": "Thank you for your time. You have nothing more to do.",

  "typing.first": "First",
  "typing.second": "Second",
  "typing.answer": "Your answer",
  "typing.begin.lead":
    "You type the same thing twice, each time in a terminal of its own. Notice how it feels under your fingers: afterwards we ask which you liked better.",
  "typing.begin.ready":
    "Put your hands on the keyboard. The time begins when the terminal is there.",
  "typing.begin.limit": "At most {minutes} each.",
  "typing.begin.first": "Start the first",
  "typing.pause.title": "The first is done",
  "typing.pause.text":
    "Shake your hands, take a breath. The second is the same task once more. Notice again how it feels.",
  "typing.begin.second": "Start the second",
  "typing.done": "Done",
  "typing.done.least": "A little more first. Keys to go: {keys}.",
  "typing.done.open": "You can stop whenever you are done.",
  "typing.left": "Time left",
  "typing.task": "Your task",
  "typing.editor.nano": "The editor is nano: just type. Arrow keys move, Backspace deletes.",
  "typing.editor.vi":
    "The editor is vi: press i to write, Esc to stop writing; h, j, k, l or the arrow keys move, x deletes.",
  "typing.copy": "Type these lines:",
  "typing.copy.progress": "Typed: {percent} %",
  "typing.correct": "Correct the words that are marked. Below each stands what it should be.",
  "typing.correct.progress": "Corrected: {done} of {total}",
  "typing.correct.to": "should be {right}",
  "typing.correct.corrected": "corrected",
  "typing.hold":
    "Hold down {key} in an empty line and let go when the row of signs reaches the mark ^ beneath it. Too far? Take signs away with Backspace. Then go to the next empty line.",
  "typing.hold.progress": "Lines filled: {done} of {total}",
  "typing.free": "Write about this, whatever comes to mind:",
  "typing.free.progress": "Keys pressed: {keys}",
  "typing.done.line": "done",

  "terminal.label": "Terminal: type here. F6 leaves it.",
  "terminal.leave": "{key} leaves the terminal, for who uses the keyboard only.",
  "terminal.reader":
    "What appears in the terminal is not read out by itself, because the study is about how soon it appears. How far you are is said beside it.",
  "terminal.connecting": "Connecting…",
  "terminal.preparing": "Your terminal is being made ready…",
  "terminal.finishing": "One moment…",
  "terminal.away.title": "The connection is lost for a moment",
  "terminal.away.text": "Nothing you typed is lost. Please wait: it goes on by itself.",
  "terminal.unfocused": "Click here to type on",
  "terminal.paste": "Pasting is switched off: this is about typing by hand.",
  "terminal.stuck": "A key seems to be stuck. Let go of it to type on.",

  "void.title": "This one does not count",
  "void.link-away": "The connection was away for too long. Nothing is wrong with what you did.",
  "void.hidden": "This page was out of sight for too long. Please stay here while you type.",
  "void.host-lost": "Something went wrong in our laboratory. Nothing is wrong with what you did.",
  "void.taken-over": "It was opened in another tab or on another device meanwhile.",
  "void.too-much": "More came than anybody can type. A key may have been stuck.",
  "void.too-few-keys": "It ended before enough was typed to feel anything.",
  "void.broken": "Something went wrong. Nothing is wrong with what you did.",
  "void.again": "Please do it once more, from the beginning.",
  "void.begin": "Start again",
  "taken.title": "You go on elsewhere",
  "taken.text":
    "This was opened in another tab or on another device, and only one can be typed in at a time.",
  "taken.here": "Go on here instead",
  "busy.title": "All terminals are in use just now",
  "busy.text": "This page tries again by itself in a few seconds. You need not do anything.",

  "answer.send": "Send answer",
  "gate.free":
    "Hear each for {needed} seconds to answer. So far: first {first} s, second {second} s.",
  "gate.free.one": "Hear {needed} seconds to answer. So far: {first} s.",
  "gate.in_turn": "Hear both to the end to answer.",
  "gate.in_turn.one": "Hear it to the end to answer.",
  "gate.open": "You can answer now, or listen on.",
  "gate.chosen": "You can still change your choice.",

  "player.label": "Player",
  "player.members": "The two recordings",
  "player.first": "First",
  "player.second": "Second",
  "player.one": "Recording",
  "player.playing": "Playing",
  "player.chosen": "Chosen",
  "player.listen": "Listen",
  "player.play": "Play",
  "player.pause": "Pause",
  "player.position": "Position",
  "player.position.value": "{seconds} of {length} seconds",
  "player.blocked.title": "The sound is held back",
  "player.blocked.text": "Your browser has stopped the sound, or another program uses it.",
  "player.blocked.start": "Start the sound",
  "loop.repeat": "Repeat",
  "loop.part": "Choose the part to repeat",
  "loop.from": "From",
  "loop.to": "To",
  "loop.seconds": "{seconds} seconds",
  "turns.both": "Play both",
  "turns.one": "Play",
  "turns.again": "Play again",
  "turns.stop": "Stop",
  "turns.waiting": "Not heard yet",
  "turns.playing": "Playing",
  "turns.heard": "Heard",
  "turns.progress": "Played",

  "keys.heading": "Keyboard",
  "keys.space": "Space",
  "keys.space.free": "play or pause",
  "keys.space.in_turn": "play or stop",
  "keys.members": "hear the first, the second",
  "keys.arrows": "two seconds back, forward",
  "keys.bounds": "here the part to repeat begins, ends",
  "keys.repeat": "repeat that part or not",
  "keys.answers": "choose an answer",
  "keys.send": "send the answer that is chosen",
  "keys.use": "Use these keys",
  "key.first": "F",
  "key.second": "S",
  "key.no_difference": "N",

  "sending.title": "Your answer is being sent",
  "sending.text": "It is kept on this device until the server has it.",
  "waiting.title": "Waiting for the connection",
  "waiting.text":
    "You have done all that this device had fetched. Your answers are kept here, and are sent as soon as the server can be reached. Then this page goes on by itself.",
  "connection.lost": "We cannot reach the study server.",
  "connection.kept": "Answers kept on this device: {count}.",
  "connection.ahead": "You can go on: the next recordings are on this device already.",
  "connection.open":
    "Please keep this page open. It goes on by itself as soon as the server is back.",
  "connection.refused":
    "The server could not take something that you answered ({count}). It is kept on this device, and you may be asked once more. Please tell whoever invited you.",
  "connection.back": "The study server is back.",
  "connection.lost_nothing": "Nothing was lost.",

  "thanks.title": "Thank you",
  "thanks.lead": "All your answers have arrived. You can close this page.",
  "thanks.code": "Your completion code",
  "thanks.hand": "Hand it to whoever invited you.",
  "thanks.withdraw": "If you change your mind",
  "thanks.withdraw.text":
    "Keep this link. With it you can have your answers deleted later, from any device.",
  "thanks.credits": "What you heard",
  "copy.code": "Copy the code",
  "copy.link": "Copy the link",
  "copy.done": "Copied.",
  "copy.failed": "Copying is not allowed here; please select the text.",

  "device.heading": "Continue on another device",
  "device.text":
    "Open this link there, and you go on at the trial where you are now. Keep it to yourself: whoever has it answers in your name.",
  "device.link": "Link to your participation",
  "device.code": "The link as a pattern for a camera",
  "withdraw.link": "Withdraw",
  "withdraw.label": "Link to withdraw",
  "withdraw.title": "Withdraw from this study?",
  "withdraw.text":
    "All that you answered in “{title}” is then deleted from the server: your choices, how you listened, and what you wrote. This cannot be undone.",
  "withdraw.text.untitled":
    "All that you answered is then deleted from the server: your choices, how you listened, and what you wrote. This cannot be undone.",
  "withdraw.stays":
    "What stays is that somebody withdrew on this day, without anything about you or your answers.",
  "withdraw.yes": "Delete my answers",
  "withdraw.no": "Keep them and go back",
  "withdraw.working": "Deleting…",
  "withdraw.unknown.title": "There is nothing left to delete",
  "withdraw.unknown.text":
    "This link leads to no answers: they have been deleted, or what linked them to you has been erased. If you expected something else, check that no letter of the link is missing.",
  "withdrawn.title": "You have withdrawn",
  "withdrawn.text":
    "Your answers have been deleted from the server, and this browser has forgotten them too. You have nothing more to do.",
  "withdrawn.thanks": "Thank you for the time you gave.",

  "landing.lead":
    "Can people hear what happens to their voice on its way through the network? Thinlab sends sound over a real network stack, keeps what arrived, and asks listeners who do not know which is which.",
  "landing.take_part": "Take part",
  "landing.lost.title": "The server cannot be reached",
  "landing.lost.text": "This page tries again by itself.",
  "landing.none":
    "No study is open here without an invitation. Use the address that you were given.",
  "landing.preparing": "Its recordings are being made; it opens in a moment.",
  "landing.closed": "It takes no more participants.",
  "landing.desk": "You run studies here?",
  "landing.desk.link": "Go to the researcher’s desk",
} as const;

export default english;
