// English: the language that every other one is measured by.
// `{name}` is a place that the page fills.
// SPDX-License-Identifier: Apache-2.0

const english = {
  "loading.title": "One moment",
  "loading.text": "The study is being loaded.",
  preview: "Preview: these answers do not count.",
  again: "Try again",
  "go.on": "Continue",

  "missing.title": "There is no study at this address",
  "missing.text": "Please check the address that you were given: a letter may be missing.",
  "closed.title": "This study is closed",
  "closed.text": "“{title}” takes no more participants. Thank you for your interest.",
  "full.title": "This study has all the listeners it needs",
  "full.text":
    "“{title}” has no free place at the moment. If somebody does not finish, their place becomes free again: you are welcome to look again later.",
  "full.again": "Look again",
  "preparing.title": "This study is being prepared",
  "preparing.text":
    "Its recordings are not ready yet. This page continues by itself as soon as they are.",
  "preparing.text.typed":
    "What it needs is not ready yet. This page continues by itself as soon as it is.",
  "panel.any": "the panel",
  "panel.needed.title": "Please open this study from its panel",
  "panel.needed.text":
    "Its participants come from {panel}, and this address does not say who you are there. Open the study’s link there once more.",
  "panel.unfit.title": "The link to this study is not complete",
  "panel.unfit.text":
    "It should say who you are at {panel}, and what stands there cannot be right. Please open the study from there once more. If that does not help, tell whoever runs the study.",
  "panel.back": "Back to {panel}",
  "panel.press": "Press the button: it tells {panel} that you are done here.",
  "panel.return": "Return to {panel}",
  "panel.enter": "Enter this code at {panel}.",
  "panel.enter.otherwise": "If the button does not work, enter this code at {panel}.",
  "panel.code": "Your code for {panel}",
  "panel.nothing":
    "You have nothing more to do here. You can close this page and go back to {panel}.",
  "took_part.title": "You have taken part already",
  "took_part.text":
    "Each person can take part once, and what you came to then is on record. If you still have the page of that visit, it shows what it showed then.",
  "ended.declined.title": "You are not taking part",
  "ended.declined.text": "That is fine. Nothing was asked of you, and you have no answers here.",
  "ended.full.title": "This study has all the participants it needs",
  "ended.full.text": "The last place was taken before you came. Thank you for coming.",
  "ended.screened_out.title": "This study does not fit you or your device",
  "ended.screened_out.text":
    "One of its checks was not passed. This says nothing about you. Thank you for your time.",
  "ineligible.title": "This study is looking for other people",
  "ineligible.text":
    "Thank you for your answers. By one of them you are not among the people whom this study is about, so it ends here for you. This is no judgement of you: studies compare people who have something in common.",
  "ineligible.thanks": "You have nothing more to do.",
  "ended.timed_out.title": "The time for this study has run out",
  "ended.timed_out.text":
    "Your place was reserved for {minutes} minutes, which are over, so it is free for somebody else now. The answers that you gave have arrived. You cannot continue, but you can close the study properly:",
  decline: "I do not want to take part",
  "decline.sure": "If you decline, {panel} is told so, and you cannot change your mind later.",
  "decline.yes": "Decline for good",
  "decline.no": "Go back",

  "invitation.needed.title": "This study is by invitation",
  "invitation.needed.text":
    "Please open the link in your invitation. It ends in a personal code that lets you in.",
  "invitation.used.title": "This invitation has been used",
  "invitation.used.text":
    "Each invitation is for one person, and the participation that began with this one has ended or was withdrawn. Please ask whoever invited you for a new one.",
  "invitation.unknown.title": "We do not recognise this invitation",
  "invitation.unknown.text":
    "A letter of the link may be missing. Please open it again from your message, or ask whoever invited you.",
  "forgotten.title": "We no longer recognise this participation",
  "forgotten.text":
    "This browser took part before, but the study’s server does not know it: the study may have been set up again. You can start from the beginning.",
  "forgotten.again": "Start from the beginning",
  "failed.title": "This did not work",
  "failed.text":
    "The study’s server did not accept what this page sent. Your answers are still on this device.",

  language: "Language",
  "consent.heading": "Before you begin",
  "consent.minutes": "About {minutes} minutes",
  "consent.one_minute": "About one minute",
  "consent.trials": "Trials: {trials}",
  "consent.deadline": "To be done within {minutes} minutes",
  "consent.headphones": "With headphones",
  "consent.stored.heading": "What is stored",
  "consent.stored.text":
    "Your answers, how you played the recordings (which, when, how often you switched), how long you took, the outcome of the sound check, the delay of your sound output, and the language of this page. Not your name, not your address, nothing else about your device.",
  "consent.stored.typing":
    "Your answers; for each key, when you pressed and released it, what kind of key it was (a letter, Backspace, an arrow…) and when its effect appeared on your screen; whether you looked away; how fast and steady your connection was; how long you took; and the language of this page. Not your name, not your address, nothing else about your device.",
  "consent.stored.text_not_kept": "What you type is not kept.",
  "consent.stored.text_kept": "What you type is kept as well. Please type nothing private.",
  "consent.stored.panel":
    "The id by which {panel} knows you, and how your visit ended, so that you can be paid. They are kept apart from your answers.",
  "consent.retention":
    "Everything that links this browser to your answers is erased {days} days after you begin.",
  "consent.leave.heading": "If you change your mind",
  "consent.leave.text":
    "You may stop at any moment by closing this page. You may also withdraw, now or later: the link “Withdraw” is at the foot of each page, and at the end you get it to keep. All your answers are then deleted.",
  "contact.heading": "Questions?",
  "consent.changed": "This text has changed in the meantime. Please read it again.",
  "consent.agree": "I have read this and agree to take part.",
  "consent.begin": "Begin",
  "consent.joining": "Joining…",
  "consent.version": "Consent text, version {version}",

  "sound.title": "Set your sound",
  "sound.lead.headphones": "Please put on headphones and sit in a quiet place.",
  "sound.lead.any": "Please use headphones if you have any, and sit in a quiet place.",
  "sound.lead.level":
    "Play the voice and make it as loud as you would like a voice on the telephone to be. Then leave it there.",
  "sound.play": "Play the voice",
  "sound.stop": "Stop the voice",
  "sound.loading": "Loading the voice…",
  "sound.repeats": "The voice repeats until you stop it.",
  "sound.blocked.title": "Your browser does not let the sound start",
  "sound.blocked.text":
    "Check that no other program is using your headphones, and that this page may play sound. Then press “Play the voice” again.",
  "sound.level": "Level",
  "sound.percent": "{percent} percent",
  "sound.louder": "Too quiet at the right end? Turn up the volume of your device as well.",
  "sound.heard": "I hear the voice clearly, at a comfortable level.",
  "sound.play_first": "Play the voice first.",

  "headphones.title": "Are your headphones on?",
  "headphones.why.required": "This study can only use answers that were heard through headphones.",
  "headphones.why.asked": "We would like to know whether you hear through headphones.",
  "headphones.how.huggins":
    "There are {rounds} short rounds. In each, you hear a noise three times, and one of the three contains a faint steady tone. The tone only arises between your two ears, so loudspeakers do not produce it. Say each time which one it was. Guess if you are not sure.",
  "headphones.how.antiphase":
    "There are {rounds} short rounds. In each, you hear a low tone three times, and one of the three is a little quieter than the others. Say each time which one was the quietest. Guess if you are not sure.",
  "headphones.begin": "Begin the test",
  "headphones.none": "I have no headphones",
  "headphones.leave": "Leave the test",
  "headphones.without.asked":
    "No headphones at hand, or the test does not work for you? Skip it: the study continues with whatever you are listening through now.",
  "headphones.without.required":
    "Without headphones you cannot take part in this study. Leaving the test uses up no attempt.",
  "headphones.later":
    "You can come back with headphones: open this page again and continue from here.",
  "headphones.found": "I have some after all",
  "headphones.round": "Round {round} of {rounds}",
  "headphones.play.huggins": "Play the three noises",
  "headphones.play.antiphase": "Play the three tones",
  "headphones.playing.huggins": "Noise {number} of 3 is playing.",
  "headphones.playing.antiphase": "Tone {number} of 3 is playing.",
  "headphones.which.huggins": "Which one had the tone?",
  "headphones.which.antiphase": "Which one was the quietest?",
  "headphones.option.huggins": "Noise {number}",
  "headphones.option.antiphase": "Tone {number}",
  "headphones.confirm": "Confirm",
  "headphones.again.title": "That did not work yet",
  "headphones.again.text":
    "Please check that you are wearing both sides of your headphones and that both play, that no “mono” or “surround” effect is switched on, and that it is quiet around you. Then try once more.",
  "headphones.again": "Try once more",
  "headphones.failed.title": "This study needs headphones",
  "headphones.failed.text":
    "The test could not confirm that you hear through headphones, so you cannot continue in this study. This says nothing about how well you hear: a mono setting, one silent side or a noisy room is enough.",
  "headphones.failed.thanks": "Thank you for your time. You have nothing more to do.",

  "hearing.title": "A short hearing test",
  "hearing.why": "The answers of this study depend on what reaches your ears.",
  "hearing.levels.title": "Which one is louder?",
  "hearing.levels.how":
    "There are {rounds} short rounds. In each, you hear a tone twice, and one of the two is louder. Say each time which one it was. Guess if you are not sure.",
  "hearing.levels.play": "Play the two tones",
  "hearing.levels.which": "Which one was louder?",
  "hearing.bandwidth.title": "Which one is brighter?",
  "hearing.bandwidth.how":
    "There are {rounds} short rounds. In each, you hear a noise three times, and one of the three has an additional high hiss. Say each time which one it was. Guess if you are not sure.",
  "hearing.bandwidth.play": "Play the three noises",
  "hearing.bandwidth.which": "Which one had the high hiss?",
  "hearing.digits.title": "Which digits do you hear?",
  "hearing.digits.how":
    "There are {rounds} short rounds. In each, a voice says three digits in noise, once. Type them in the same order. Nobody understands all of them: the noise gets louder and softer on the way. Guess if you are not sure.",
  "hearing.digits.play": "Play the three digits",
  "hearing.digits.playing": "The digits are playing.",
  "hearing.digits.heard": "Now type what you heard.",
  "hearing.digits.which": "Which three digits did you hear?",
  "hearing.digits.keypad": "Keypad",
  "hearing.digits.delete": "Delete the last digit",
  "hearing.playing": "Sound {number} of {sounds} is playing.",
  "hearing.option": "Sound {number}",
  "hearing.without.needed":
    "Who does not pass cannot take part in this study. Leaving the test uses up no attempt.",
  "hearing.without.asked": "Whatever the outcome, the study continues afterwards.",
  "hearing.again.title": "That did not work yet",
  "hearing.again.text":
    "Please check that it is quiet around you, that the sound is loud enough, and that no effect such as “loudness” or “noise cancelling” is switched on. Then try once more.",
  "hearing.failed.title": "This study needs other conditions for listening",
  "hearing.failed.text":
    "The test could not confirm that you hear what this study is about, so you cannot continue in it. This says little about how well you hear: equipment, volume or a noisy room is enough.",

  "questions.before": "A few questions first",
  "questions.after": "A few questions at the end",
  "questions.needed": "(required)",
  "questions.several": "Choose all that apply.",
  "questions.range": "A whole number from {minimum} to {maximum}.",
  "questions.length": "Characters left: {count}",
  "questions.unanswered": "Please answer this question.",
  "questions.unfitting": "This answer does not fit the question.",
  "questions.some": "Some answers are missing or cannot be right. They are marked below.",

  "introduction.training": "First, a warm-up",
  "introduction.title": "What comes next",
  "introduction.begin": "Begin",
  "rest.title": "Time for a break",
  "rest.text": "You have done {done} of {total}. Your answers are safe.",
  "rest.advice.typing": "Rest your hands for a minute, and continue when you like.",
  "rest.advice": "Rest your ears for a minute, and continue when you like.",

  "trial.title": "Trial {position} of {total}",
  "trial.training": "Warm-up: this answer does not count.",
  "trial.loading": "The recordings are being loaded.",
  "trial.loaded": "Recordings loaded",
  "trial.broken.title": "The recordings could not be opened",
  "trial.broken.text": "Please reload this page. If that does not help, tell whoever invited you.",
  "trial.how.free":
    "You will hear two recordings of the same passage. Listen as long as you like, and switch between them at any moment: the other one continues from where you are.",
  "trial.how.in_turn":
    "You will hear two recordings of the same passage, one after the other. You may hear them as often as you like.",
  "trial.how.reference":
    "You will hear a reference, then the same once more, which may sound worse. You may hear them as often as you like.",
  "trial.how.x.free":
    "You will hear two recordings of the same, A and B, and X, which is one of the two once more. Listen for as long as you like and switch whenever you like: the next one goes on where you are.",
  "trial.how.x.in_turn":
    "You will hear two recordings of the same, A and B, and then X, which is one of the two once more. You may hear them as often as you like.",
  "trial.how.rated":
    "Compare every sound with the reference: how good is it beside it? One of the sounds is the reference itself and should get 100.",
  "trial.how.one": "You will hear one recording. You may hear it as often as you like.",

  "check.title": "Two short checks",
  "check.lead":
    "In this study you type. So we check whether you have a keyboard, and whether your connection lets you feel what we ask about.",
  "check.keyboard": "Your keyboard",
  "check.keyboard.ask": "Press these keys, one after the other.",
  "check.keyboard.good": "Your keyboard works.",
  "check.keyboard.none": "No keyboard on this device?",
  "check.keyboard.none.text":
    "A phone’s on-screen keyboard is not enough here. Continue on a computer: open this link there, and you begin where you are now. Keep it to yourself.",
  "check.word": "house",
  "check.connection": "Your connection",
  "check.connection.running": "Measuring. This takes a few seconds.",
  "check.connection.good": "Good: {rtt} ms there and back.",
  "check.connection.poor":
    "Not steady enough at the moment: {rtt} ms there and back, give or take {jitter} ms.",
  "check.connection.advice":
    "Stop downloads and video calls, switch off a VPN, move closer to the Wi-Fi or use a cable. Then measure again.",
  "check.connection.lost": "The server could not be reached.",
  "check.connection.again": "Measure again",
  "check.failed.title": "This connection is too slow to feel the difference",
  "check.failed.text":
    "The path to our server alone takes so long, or varies so much, that it would hide what this study asks about. This says nothing about you, and nothing is wrong with your device.",
  "check.failed.thanks": "Thank you for your time. You have nothing more to do.",

  "typing.first": "First",
  "typing.second": "Second",
  "typing.answer": "Your answer",
  "typing.begin.lead":
    "You type the same thing twice, each time in a fresh terminal. Notice how it feels under your fingers: afterwards we ask which you liked better.",
  "typing.begin.ready":
    "Put your hands on the keyboard. The time starts when the terminal is ready.",
  "typing.begin.limit": "At most {minutes} each.",
  "typing.begin.first": "Start the first",
  "typing.pause.title": "The first is done",
  "typing.pause.text":
    "Shake out your hands, take a breath. The second is the same task again. Notice again how it feels.",
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
  "typing.correct": "Correct the marked words. Below each is what it should be.",
  "typing.correct.progress": "Corrected: {done} of {total}",
  "typing.correct.to": "should be {right}",
  "typing.correct.corrected": "corrected",
  "typing.hold":
    "Hold down {key} on an empty line and let go when the row of characters reaches the mark ^ beneath it. Too far? Delete characters with Backspace. Then press ↓ twice, or Enter, for the next empty line.",
  "typing.hold.progress": "Lines filled: {done} of {total}",
  "typing.free": "Write about this, whatever comes to mind:",
  "typing.free.progress": "Keys pressed: {keys}",
  "typing.done.line": "done",

  "terminal.label": "Terminal: type here. F6 leaves it.",
  "terminal.leave": "{key} leaves the terminal if you use only the keyboard.",
  "terminal.reader":
    "Text that appears in the terminal is not read out, because the study is about how soon it appears. Your progress is described beside it.",
  "terminal.connecting": "Connecting…",
  "terminal.preparing": "Your terminal is being prepared…",
  "terminal.finishing": "One moment…",
  "terminal.away.title": "The connection is lost for a moment",
  "terminal.away.text":
    "What you have typed is kept. Keys that you press now are not accepted. Please wait: it continues by itself.",
  "terminal.held.title": "One moment: the machine is catching up",
  "terminal.held.text":
    "Keys that you press now are not accepted, and your time stands still. Continue when this message disappears.",
  "terminal.unfocused": "Click here to continue typing",
  "terminal.paste": "Pasting is switched off: this is about typing by hand.",
  "terminal.stuck": "A key seems to be stuck. Let go of it to continue.",

  "void.title": "This one does not count",
  "void.link-away": "The connection was away for too long. You did nothing wrong.",
  "void.hidden": "This page was out of sight for too long. Please stay here while you type.",
  "void.host-lost": "Something went wrong in our laboratory. You did nothing wrong.",
  "void.host-behind":
    "Our machine could not keep up for a moment, and one of your keys had to wait for it. You did nothing wrong.",
  "void.taken-over": "It was opened in another tab or on another device in the meantime.",
  "void.too-much": "More keys arrived than anybody can type. A key may have been stuck.",
  "void.too-few-keys": "It ended before you had typed enough to feel anything.",
  "void.broken": "Something went wrong. You did nothing wrong.",
  "void.again": "Please do it again, from the beginning.",
  "void.begin": "Start again",
  "taken.title": "You have continued elsewhere",
  "taken.text":
    "This was opened in another tab or on another device, and you can type in only one at a time.",
  "taken.here": "Continue here instead",
  "busy.title": "No terminal is free for you at the moment",
  "busy.text": "This page tries again by itself in a few seconds. You need not do anything.",

  "answer.send": "Send answer",
  "gate.free":
    "Hear each for {needed} seconds to answer. So far: first {first} s, second {second} s.",
  "gate.free.one": "Hear {needed} seconds to answer. So far: {first} s.",
  "gate.share":
    "Hear at least {needed} of the {length} seconds of each to answer. What you hear again counts once. So far: first {first} s, second {second} s.",
  "gate.share.one":
    "Hear at least {needed} of its {length} seconds to answer. What you hear again counts once. So far: {first} s.",
  "gate.free.x":
    "Hear {needed} seconds of each to answer. So far: A {first} s, B {second} s, X {x} s.",
  "gate.share.x":
    "Hear at least {needed} of the {length} seconds of each to answer. What you hear again counts once. So far: A {first} s, B {second} s, X {x} s.",
  "gate.in_turn.x": "Hear all three to the end to answer.",
  "gate.in_turn": "Hear both to the end to answer.",
  "gate.in_turn.one": "Hear it to the end to answer.",
  "gate.rated":
    "Hear at least {needed} of {length} seconds of the reference and of each sound, in different parts. Heard so far: {heard} of {all}.",
  "gate.rate": "Every sound is heard. Rated so far: {rated} of {all}.",
  "gate.open": "You can answer now, or keep listening.",
  "gate.chosen": "You can still change your choice.",

  "player.label": "Player",
  "player.members": "The two recordings",
  "player.first": "First",
  "player.second": "Second",
  "player.members.three": "A, B, and X",
  "player.a": "A",
  "player.b": "B",
  "player.x": "X",
  "player.one": "Recording",
  "player.reference": "Reference",
  "player.rated": "Recording",
  "rated.sounds": "The sounds to rate",
  "rated.sound": "Sound {number}",
  "rated.score": "Sound {number}: score",
  "rated.value": "{score}, {word}",
  "rated.none": "not rated yet",
  "player.playing": "Playing",
  "player.chosen": "Chosen",
  "player.listen": "Listen",
  "player.play": "Play",
  "player.pause": "Pause",
  "player.position": "Position",
  "player.position.value": "{seconds} of {length} seconds",
  "player.blocked.title": "The sound is held back",
  "player.blocked.text":
    "Your browser has stopped the sound, another program uses it, or your headphones are gone.",
  "player.blocked.start": "Start the sound",
  "loop.repeat": "Repeat",
  "loop.part": "Choose the part to repeat",
  "loop.from": "From",
  "loop.to": "To",
  "loop.seconds": "{seconds} seconds",
  "turns.both": "Play both",
  "turns.three": "Play all three",
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
  "keys.members.x": "hear A, B, X",
  "keys.members.rated": "hear that sound",
  "keys.reference": "hear the reference",
  "keys.members": "hear the first, the second",
  "keys.arrows": "two seconds back, forward",
  "keys.bounds": "set where the part to repeat begins, ends",
  "keys.repeat": "repeat that part or not",
  "keys.answers": "choose an answer",
  "keys.send": "send the chosen answer",
  "keys.use": "Use these keys",
  "key.first": "F",
  "key.second": "S",
  "key.x.first": "A",
  "key.x.second": "B",
  "key.no_difference": "N",

  "sending.title": "Your answer is being sent",
  "sending.text": "It is kept on this device until the server has it.",
  "waiting.title": "Waiting for the connection",
  "waiting.text":
    "You have done everything that this device had fetched. Your answers are kept here, and are sent as soon as the server can be reached. Then this page continues by itself.",
  "connection.busy": "Many people are here at the moment.",
  "connection.no-host": "The machine that you will type on is being prepared.",
  "connection.waits": "Leave the page open. It continues by itself in a moment.",
  "connection.lost": "We cannot reach the study server.",
  "connection.kept": "Answers kept on this device: {count}.",
  "connection.ahead": "You can continue: the next recordings are already on this device.",
  "connection.open":
    "Please keep this page open. It continues by itself as soon as the server is back.",
  "connection.refused":
    "The server could not accept something that you answered ({count}). It is kept on this device, and you may be asked again. Please tell whoever invited you.",
  "connection.back": "The study server is back.",
  "connection.lost_nothing": "Nothing was lost.",

  "thanks.title": "Thank you",
  "thanks.lead": "All your answers have arrived. You can close this page.",
  "thanks.lead.panel": "All your answers have arrived. One step is left.",
  "thanks.code": "Your completion code",
  "thanks.hand": "Give it to whoever invited you.",
  "thanks.withdraw": "If you change your mind",
  "thanks.withdraw.text":
    "Keep this link. With it you can have your answers deleted later, from any device.",
  "debrief.title": "What was what",
  "debrief.text":
    "If you like, you can now find out what you heard or typed, and what happened to it on its way. Please do not tell people who have yet to take part.",
  "debrief.later":
    "You can find out once the study is closed. Keep the address of this page and come back.",
  "debrief.show": "Tell me",
  "debrief.lost": "It could not be fetched. Please try again.",
  "debrief.answer": "You said: {answer}.",
  "debrief.twice": "Both were the same.",
  "debrief.lost_packets": "{lost} of {packets} packets were lost.",
  "debrief.not_sent": "It was not sent over a network.",
  "debrief.late": "{percent} % of it came late.",
  "debrief.stall": "The longest wait was {seconds} s.",
  "thanks.credits": "What you heard",
  "copy.code": "Copy the code",
  "copy.link": "Copy the link",
  "copy.done": "Copied.",
  "copy.failed": "Copying is not allowed here; please select the text.",

  "device.heading": "Continue on another device",
  "device.text":
    "Open this link there, and you continue at the trial where you are now. Keep it to yourself: whoever has it answers in your name.",
  "device.link": "Link to your participation",
  "device.code": "The link as a QR code",
  "withdraw.link": "Withdraw",
  "withdraw.label": "Link to withdraw",
  "withdraw.title": "Withdraw from this study?",
  "withdraw.text":
    "Everything you answered in “{title}” will then be deleted from the server: your choices, how you listened, and what you wrote. This cannot be undone.",
  "withdraw.text.untitled":
    "Everything you answered will then be deleted from the server: your choices, how you listened, and what you wrote. This cannot be undone.",
  "withdraw.stays":
    "All that stays is the fact that somebody withdrew on this day, without anything about you or your answers.",
  "withdraw.yes": "Delete my answers",
  "withdraw.no": "Keep them and go back",
  "withdraw.working": "Deleting…",
  "withdraw.unknown.title": "There is nothing left to delete",
  "withdraw.unknown.text":
    "This link leads to no answers: they have been deleted, or what linked them to you has been erased. If you expected something else, check that no letter of the link is missing.",
  "withdrawn.title": "You have withdrawn",
  "withdrawn.text":
    "Your answers have been deleted from the server, and this browser has forgotten them too. You have nothing more to do.",
  "withdrawn.panel":
    "Nothing is reported to {panel}. If your place there is still open, return or cancel it there.",
  "withdrawn.thanks": "Thank you for the time you gave.",

  "landing.lead":
    "Can people hear what happens to their voice on its way through the network? Thinlab sends sound over a real network stack, records what arrived, and asks listeners who do not know which is which.",
  "landing.take_part": "Take part",
  "landing.lost.title": "The server cannot be reached",
  "landing.lost.text": "This page tries again by itself.",
  "landing.none":
    "No study is open here without an invitation. Use the address that you were given.",
  "landing.begin": "Take part",
  "landing.minutes": "About {minutes} min",
  "landing.heard": "to listen to",
  "landing.typed": "to type, with a keyboard",
  "landing.full": "All its places are taken at the moment.",
  "landing.preparing": "It is being prepared and not open yet.",
  "sample.title": "Hear it now",
  "sample.how":
    "Press one, then the other: both keep playing, and you switch between them. With headphones you hear more.",
  "sample.heard":
    "{seconds} seconds of it came too late to be heard. Each byte was sent {times} times on average.",
  "sample.loading": "One moment: both are being fetched…",
  "sample.failed": "The sound could not be fetched.",
  "sample.preparing": "A pair to listen to is being recorded. It appears here by itself.",
  "landing.demo": "A live demo",
  "landing.demo.text":
    "Is somebody presenting one? With the six letters on their screen you can listen on your own phone.",
  "landing.demo.present": "Present one yourself",
  "nowhere.title": "There is no page at this address",
  "nowhere.text": "A letter may be missing, or the page is gone.",
  "nowhere.home": "Go to the front page",
  "landing.desk": "Do you run studies here?",
  "landing.desk.link": "Go to the researcher’s desk",

  "audience.title": "Live demo",
  "audience.opening.text": "The demo is being opened.",
  "audience.unknown.title": "There is no demo at this address",
  "audience.unknown.text":
    "Please check the six letters that the presenter shows: one may be missing.",
  "audience.elsewhere.title": "The demo is open in other tabs",
  "audience.elsewhere.text": "Go on there, or here: the tab that was opened first then stops.",
  "audience.elsewhere.here": "Go on here",
  "audience.code": "The six letters that the presenter shows",
  "audience.ended.title": "The demo is over",
  "audience.ended.late": "It ended before you came.",
  "audience.ended.replay": "Watch it again",
  "audience.ended.text": "Thank you for listening.",
  "audience.waiting": "The demo is about to begin. This page continues by itself.",
  "audience.paused": "The presenter has paused.",
  "audience.anew": "One moment: it starts again. This page continues by itself.",
  "audience.stopped": "The demo stands still at the moment. This page continues by itself.",
  "audience.away": "The connection is lost. This page comes back by itself.",
  "audience.listen": "Listen",
  "audience.listen.text": "Turn your sound on. With headphones you hear more.",
  "audience.sound.opening": "The sound is being opened…",
  "audience.sound.blocked": "Your browser is holding the sound back. Press “Listen” once more.",
  "audience.sound.away": "The sound is interrupted. It comes back by itself.",
  "audience.sound.failed":
    "The sound does not get through: the network may be blocking it. Everything else works.",
  "audience.stop": "Stop listening",
  "audience.level": "Volume",
  "audience.heard": "You hear {label}.",
  "audience.choose": "What you hear",
  "audience.blind": "You will be told later which is which.",
  "audience.clip": "All of them play the same, at the same moment.",
  "audience.no_sound": "There is nothing to hear at the moment, but something to see.",
  "audience.screens": "What the presenter types",
  "audience.poll.none": "No difference",
  "audience.poll.sending": "Your vote is on its way…",
  "audience.poll.thanks":
    "Thank you. Your vote: {label}. You can change it until the poll is closed.",
  "audience.poll.closed": "The poll is closed. Your vote was {label}.",
  "audience.poll.missed": "The poll is closed.",
  "audience.poll.result": "How the room voted",
  "audience.reveal.heading": "What was what",
  "audience.charts": "What happens to the packets",
} as const;

export default english;
