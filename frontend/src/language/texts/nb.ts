// Norwegian Bokmål.
// SPDX-License-Identifier: Apache-2.0
import { translation } from "../translation";

export default translation({
  "loading.title": "Et øyeblikk",
  "loading.text": "Undersøkelsen hentes.",
  preview: "Forhåndsvisning: Disse svarene teller ikke.",
  again: "Prøv igjen",
  "go.on": "Gå videre",

  "missing.title": "Det finnes ingen undersøkelse på denne adressen",
  "missing.text": "Sjekk adressen du har fått: Det kan mangle en bokstav.",
  "closed.title": "Denne undersøkelsen er avsluttet",
  "closed.text": "«{title}» tar ikke imot flere deltakere. Takk for interessen.",
  "full.title": "Denne undersøkelsen har de lytterne den trenger",
  "full.text":
    "«{title}» har ingen ledig plass akkurat nå. Når noen ikke fullfører, blir plassen deres ledig igjen. Du er velkommen til å se innom senere.",
  "full.again": "Se etter på nytt",
  "preparing.title": "Undersøkelsen gjøres klar",
  "preparing.text": "Opptakene blir laget nå. Siden går videre av seg selv så snart de er klare.",
  "invitation.needed.title": "Du trenger en invitasjon",
  "invitation.needed.text":
    "Åpne lenken i invitasjonen du har fått. Den slutter med en egen kode som slipper deg inn.",
  "invitation.used.title": "Invitasjonen er brukt",
  "invitation.used.text":
    "Hver invitasjon gjelder for én person, og deltakelsen som begynte med denne, er avsluttet eller trukket tilbake. Be den som inviterte deg, om en ny.",
  "invitation.unknown.title": "Vi kjenner ikke denne invitasjonen",
  "invitation.unknown.text":
    "Det kan mangle en bokstav i lenken. Åpne den en gang til fra meldingen du fikk, eller spør den som inviterte deg.",
  "forgotten.title": "Vi kjenner ikke igjen denne deltakelsen",
  "forgotten.text":
    "Denne nettleseren har deltatt før, men serveren kjenner den ikke lenger. Undersøkelsen kan ha blitt satt opp på nytt. Du kan begynne forfra.",
  "forgotten.again": "Begynn forfra",
  "failed.title": "Dette gikk ikke",
  "failed.text":
    "Serveren tok ikke imot det denne siden sendte. Svarene dine ligger fortsatt på enheten.",

  language: "Språk",
  "consent.heading": "Før du begynner",
  "consent.minutes": "Omtrent {minutes} minutter",
  "consent.one_minute": "Omtrent ett minutt",
  "consent.trials": "Antall oppgaver: {trials}",
  "consent.headphones": "Med hodetelefoner",
  "consent.stored.heading": "Dette lagres",
  "consent.stored.text":
    "Svarene dine, hvordan du spilte av opptakene (hvilke, når, hvor ofte du byttet), hvor lang tid du brukte, resultatet av lydsjekken, forsinkelsen i lydutgangen din og språket på siden. Ikke navnet ditt, ikke adressen din og ikke noe annet om enheten din.",
  "consent.retention":
    "Det som knytter denne nettleseren til svarene dine, slettes {days} dager etter at du begynner.",
  "consent.leave.heading": "Hvis du ombestemmer deg",
  "consent.leave.text":
    "Du kan slutte når som helst ved å lukke siden. Du kan også trekke deg, nå eller senere: Lenken «Trekk deg» står nederst på hver side, og til slutt får du den med deg. Da slettes alle svarene dine.",
  "contact.heading": "Spørsmål?",
  "consent.changed": "Teksten er endret i mellomtiden. Les den en gang til.",
  "consent.agree": "Jeg har lest dette og vil delta.",
  "consent.begin": "Begynn",
  "consent.joining": "Melder deg på …",
  "consent.version": "Samtykketekst, versjon {version}",

  "sound.title": "Still inn lyden",
  "sound.lead.headphones": "Ta på deg hodetelefoner, og finn et stille sted.",
  "sound.lead.any": "Bruk hodetelefoner hvis du har, og finn et stille sted.",
  "sound.lead.level":
    "Spill av stemmen, og gjør den så høy som du vil at noen skal høres ut i telefonen. La den så stå slik.",
  "sound.play": "Spill av stemmen",
  "sound.stop": "Stopp stemmen",
  "sound.loading": "Henter stemmen …",
  "sound.repeats": "Stemmen gjentas til du stopper den.",
  "sound.blocked.title": "Nettleseren slipper ikke lyden fram",
  "sound.blocked.text":
    "Sjekk at ikke et annet program bruker hodetelefonene, og at denne siden får spille lyd. Trykk så på «Spill av stemmen» igjen.",
  "sound.level": "Lydstyrke",
  "sound.percent": "{percent} prosent",
  "sound.louder": "For lavt helt til høyre? Skru opp lyden på enheten din også.",
  "sound.heard": "Jeg hører stemmen tydelig, og lydstyrken er behagelig.",
  "sound.play_first": "Spill av stemmen først.",

  "headphones.title": "Har du hodetelefonene på?",
  "headphones.why.required":
    "Denne undersøkelsen kan bare bruke svar fra dem som hører gjennom hodetelefoner.",
  "headphones.why.asked": "Vi vil gjerne vite om du hører gjennom hodetelefoner.",
  "headphones.how":
    "Det er {rounds} korte runder. I hver runde kommer en sus tre ganger, og i én av de tre er det en svak, jevn tone. Tonen oppstår mellom de to ørene dine, så den høres ikke i høyttalere. Si hver gang hvilken sus det var. Gjett hvis du er usikker.",
  "headphones.begin": "Begynn testen",
  "headphones.none": "Jeg har ikke hodetelefoner",
  "headphones.later":
    "Du kan komme tilbake med hodetelefoner: Åpne siden igjen og fortsett herfra.",
  "headphones.found": "Jeg har noen likevel",
  "headphones.round": "Runde {round} av {rounds}",
  "headphones.play": "Spill av de tre",
  "headphones.playing": "Sus {number} av 3 spilles.",
  "headphones.which": "I hvilken var tonen?",
  "headphones.option": "Sus {number}",
  "headphones.confirm": "Bekreft",
  "headphones.again.title": "Det gikk ikke helt ennå",
  "headphones.again.text":
    "Sjekk at du har hodetelefoner på begge ørene, at det kommer lyd på begge sider, at verken «mono» eller «surround» er slått på, og at det er stille rundt deg. Prøv så en gang til.",
  "headphones.again": "Prøv en gang til",
  "headphones.failed.title": "Denne undersøkelsen krever hodetelefoner",
  "headphones.failed.text":
    "Testen kunne ikke fastslå at du hører gjennom hodetelefoner, så du kan ikke gå videre i denne undersøkelsen. Det sier ikke noe om hvor godt du hører: En monoinnstilling, en side uten lyd eller støy i rommet er nok.",
  "headphones.failed.thanks": "Takk for tiden du brukte. Du trenger ikke gjøre noe mer.",

  "questions.before": "Noen spørsmål først",
  "questions.after": "Noen spørsmål til slutt",
  "questions.needed": "(må besvares)",
  "questions.several": "Kryss av for alt som passer.",
  "questions.range": "Et helt tall fra {minimum} til {maximum}.",
  "questions.length": "Tegn igjen: {count}",
  "questions.unanswered": "Svar på dette spørsmålet.",
  "questions.unfitting": "Dette svaret passer ikke til spørsmålet.",
  "questions.some": "Noen svar mangler eller kan ikke stemme. De er merket nedenfor.",

  "introduction.training": "Først en prøverunde",
  "introduction.title": "Dette kommer nå",
  "introduction.begin": "Begynn",
  "rest.title": "På tide med en pause",
  "rest.text": "Du har gjort {done} av {total}. Svarene dine er trygge.",
  "rest.advice": "La ørene hvile litt, og gå videre når du vil.",

  "trial.title": "Oppgave {position} av {total}",
  "trial.training": "Prøverunde: Dette svaret teller ikke.",
  "trial.loading": "Opptakene hentes.",
  "trial.loaded": "Opptak hentet",
  "trial.broken.title": "Opptakene kunne ikke åpnes",
  "trial.broken.text":
    "Last inn siden på nytt. Si fra til den som inviterte deg, hvis det fortsatt ikke går.",
  "trial.how.free":
    "Du får høre to opptak av det samme. Lytt så lenge du vil, og bytt mellom dem når du vil: Det andre fortsetter der du er.",
  "trial.how.in_turn":
    "Du får høre to opptak av det samme, det ene etter det andre. Du kan høre dem så mange ganger du vil.",
  "trial.how.one": "Du får høre ett opptak. Du kan høre det så mange ganger du vil.",

  "answer.send": "Send svaret",
  "gate.free":
    "Hør hvert opptak i {needed} sekunder før du svarer. Så langt: første {first} s, andre {second} s.",
  "gate.free.one": "Hør {needed} sekunder før du svarer. Så langt: {first} s.",
  "gate.in_turn": "Hør begge helt ut før du svarer.",
  "gate.in_turn.one": "Hør opptaket helt ut før du svarer.",
  "gate.open": "Du kan svare nå, eller lytte videre.",
  "gate.chosen": "Du kan fortsatt endre valget.",

  "player.label": "Avspiller",
  "player.members": "De to opptakene",
  "player.first": "Første",
  "player.second": "Andre",
  "player.one": "Opptak",
  "player.playing": "Spilles",
  "player.chosen": "Valgt",
  "player.listen": "Lytt",
  "player.play": "Spill av",
  "player.pause": "Pause",
  "player.position": "Posisjon",
  "player.position.value": "{seconds} av {length} sekunder",
  "player.blocked.title": "Lyden holdes tilbake",
  "player.blocked.text": "Nettleseren har stanset lyden, eller et annet program bruker den.",
  "player.blocked.start": "Start lyden",
  "loop.repeat": "Gjenta",
  "loop.part": "Velg delen som gjentas",
  "loop.from": "Fra",
  "loop.to": "Til",
  "loop.seconds": "{seconds} sekunder",
  "turns.both": "Spill av begge",
  "turns.one": "Spill av",
  "turns.again": "Spill av igjen",
  "turns.stop": "Stopp",
  "turns.waiting": "Ikke hørt ennå",
  "turns.playing": "Spilles",
  "turns.heard": "Hørt",
  "turns.progress": "Avspilt",

  "keys.heading": "Tastatur",
  "keys.space": "Mellomrom",
  "keys.space.free": "spill av eller ta pause",
  "keys.space.in_turn": "spill av eller stopp",
  "keys.members": "hør det første, det andre",
  "keys.arrows": "to sekunder tilbake, fram",
  "keys.bounds": "her begynner, slutter delen som gjentas",
  "keys.repeat": "gjenta delen eller ikke",
  "keys.answers": "velg et svar",
  "keys.send": "send svaret som er valgt",
  "keys.use": "Bruk disse tastene",
  "key.first": "F",
  "key.second": "A",
  "key.no_difference": "I",

  "sending.title": "Svaret ditt sendes",
  "sending.text": "Det ligger på denne enheten til serveren har fått det.",
  "waiting.title": "Venter på forbindelsen",
  "waiting.text":
    "Du har gjort alt denne enheten rakk å hente. Svarene dine ligger her og sendes så snart vi får kontakt med serveren. Da går siden videre av seg selv.",
  "connection.lost": "Vi får ikke kontakt med serveren.",
  "connection.kept": "Svar som ligger på denne enheten: {count}.",
  "connection.ahead": "Du kan fortsette: De neste opptakene er allerede hentet.",
  "connection.open": "La siden være åpen. Den går videre av seg selv så snart serveren er tilbake.",
  "connection.refused":
    "Serveren kunne ikke ta imot noe av det du svarte ({count}). Det ligger på denne enheten, og du kan bli spurt en gang til. Si fra til den som inviterte deg.",
  "connection.back": "Serveren er tilbake.",
  "connection.lost_nothing": "Ingenting gikk tapt.",

  "thanks.title": "Takk",
  "thanks.lead": "Alle svarene dine har kommet fram. Du kan lukke siden.",
  "thanks.code": "Koden din",
  "thanks.hand": "Gi den til den som inviterte deg. Den viser at du har fullført.",
  "thanks.withdraw": "Hvis du ombestemmer deg",
  "thanks.withdraw.text":
    "Ta vare på denne lenken. Med den kan du få svarene dine slettet senere, fra hvilken enhet som helst.",
  "thanks.credits": "Dette hørte du",
  "copy.code": "Kopier koden",
  "copy.link": "Kopier lenken",
  "copy.done": "Kopiert.",
  "copy.failed": "Kopiering er ikke tillatt her. Marker teksten i stedet.",

  "device.heading": "Fortsett på en annen enhet",
  "device.text":
    "Åpne denne lenken der, så fortsetter du på oppgaven du er på nå. Hold den for deg selv: Den som har lenken, svarer i ditt navn.",
  "device.link": "Lenke til deltakelsen din",
  "device.code": "Lenken som et mønster for kameraet",
  "withdraw.link": "Trekk deg",
  "withdraw.label": "Lenke for å trekke deg",
  "withdraw.title": "Vil du trekke deg?",
  "withdraw.text":
    "Alt du har svart i «{title}», blir da slettet fra serveren: valgene dine, hvordan du lyttet, og det du skrev. Dette kan ikke angres.",
  "withdraw.text.untitled":
    "Alt du har svart, blir da slettet fra serveren: valgene dine, hvordan du lyttet, og det du skrev. Dette kan ikke angres.",
  "withdraw.stays":
    "Det eneste som står igjen, er at noen trakk seg denne dagen, uten noe om deg eller svarene dine.",
  "withdraw.yes": "Slett svarene mine",
  "withdraw.no": "Behold dem og gå tilbake",
  "withdraw.working": "Sletter …",
  "withdraw.unknown.title": "Det er ingenting igjen å slette",
  "withdraw.unknown.text":
    "Denne lenken fører ikke til noen svar: De er slettet, eller det som knyttet dem til deg, er borte. Hvis du ventet noe annet, kan det mangle en bokstav i lenken.",
  "withdrawn.title": "Du har trukket deg",
  "withdrawn.text":
    "Svarene dine er slettet fra serveren, og denne nettleseren har også glemt dem. Du trenger ikke gjøre noe mer.",
  "withdrawn.thanks": "Takk for tiden du brukte.",

  "landing.lead":
    "Kan folk høre hva som skjer med stemmen på vei gjennom nettet? Thinlab sender lyd over en ekte nettverksstakk, tar vare på det som kom fram, og spør lyttere som ikke vet hva som er hva.",
  "landing.take_part": "Delta",
  "landing.lost.title": "Vi får ikke kontakt med serveren",
  "landing.lost.text": "Siden prøver igjen av seg selv.",
  "landing.none": "Ingen undersøkelse her er åpen uten invitasjon. Bruk adressen du har fått.",
  "landing.preparing": "Opptakene blir laget nå. Den åpner om et øyeblikk.",
  "landing.closed": "Den tar ikke imot flere deltakere.",
  "landing.desk": "Er det du som holder undersøkelser her?",
  "landing.desk.link": "Gå til forskerens skrivebord",
});
