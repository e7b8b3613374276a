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
  "preparing.text":
    "Opptakene er ikke klare ennå. Siden går videre av seg selv så snart de er det.",
  "preparing.text.typed":
    "Noe den trenger, er ikke klart ennå. Siden går videre av seg selv så snart det er det.",
  "panel.any": "panelet",
  "panel.needed.title": "Åpne undersøkelsen fra panelet",
  "panel.needed.text":
    "Deltakerne kommer fra {panel}, og denne adressen sier ikke hvem du er der. Åpne lenken til undersøkelsen derfra en gang til.",
  "panel.unfit.title": "Lenken til undersøkelsen er ikke hel",
  "panel.unfit.text":
    "Den skal si hvem du er hos {panel}, og det som står der, kan ikke stemme. Åpne undersøkelsen derfra en gang til. Hvis det ikke hjelper, si fra til den som står bak undersøkelsen.",
  "panel.back": "Tilbake til {panel}",
  "panel.press": "Trykk på knappen: Den forteller {panel} at du er ferdig her.",
  "panel.return": "Gå tilbake til {panel}",
  "panel.enter": "Skriv inn denne koden hos {panel}.",
  "panel.enter.otherwise": "Hvis knappen ikke virker, skriver du inn denne koden hos {panel}.",
  "panel.code": "Koden din til {panel}",
  "panel.nothing": "Du har ikke mer å gjøre her. Du kan lukke siden og gå tilbake til {panel}.",
  "took_part.title": "Du har allerede deltatt",
  "took_part.text":
    "Hver person kan delta én gang, og det er notert hvordan det gikk den gangen. Hvis du fortsatt har siden fra det besøket, viser den det samme som da.",
  "ended.declined.title": "Du deltar ikke",
  "ended.declined.text": "Det er helt greit. Du har ikke svart på noe, og ingen svar er lagret.",
  "ended.full.title": "Undersøkelsen har de deltakerne den trenger",
  "ended.full.text": "Den siste plassen ble tatt før du kom. Takk for at du kom.",
  "ended.screened_out.title": "Undersøkelsen passer ikke for deg eller enheten din",
  "ended.screened_out.text":
    "En av sjekkene ble ikke bestått. Det sier ikke noe om deg. Takk for tiden din.",
  "ineligible.title": "Denne undersøkelsen ser etter andre deltakere",
  "ineligible.text":
    "Takk for svarene. Ut fra ett av dem er du ikke blant dem undersøkelsen handler om, så her slutter den for deg. Det er ingen dom over deg: Undersøkelser sammenligner folk som har noe til felles.",
  "ineligible.thanks": "Du trenger ikke gjøre noe mer.",
  "ended.timed_out.title": "Tiden for undersøkelsen er ute",
  "ended.timed_out.text":
    "Plassen din var holdt av i {minutes} minutter. De er gått, og plassen er nå ledig for andre. Svarene du ga, har kommet fram. Du kan ikke fortsette, men du kan avslutte ordentlig:",
  decline: "Jeg vil ikke delta",
  "decline.sure": "Hvis du takker nei, får {panel} vite det, og du kan ikke ombestemme deg senere.",
  "decline.yes": "Takk nei for godt",
  "decline.no": "Gå tilbake",

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
  "consent.deadline": "Må gjøres innen {minutes} minutter",
  "consent.headphones": "Med hodetelefoner",
  "consent.stored.heading": "Dette lagres",
  "consent.stored.text":
    "Svarene dine, hvordan du spilte av opptakene (hvilke, når, hvor ofte du byttet), hvor lang tid du brukte, resultatet av lydsjekken, forsinkelsen i lydutgangen din og språket på siden. Ikke navnet ditt, ikke adressen din og ikke noe annet om enheten din.",
  "consent.stored.typing":
    "Svarene dine; for hver tast når du trykket og slapp den, hva slags tast det var (bokstav, rettetast, pil …) og når virkningen var på skjermen; om du så bort; hvor rask og jevn forbindelsen din var; hvor lang tid du brukte; og språket på siden. Ikke navnet ditt, ikke adressen din og ikke noe annet om enheten din.",
  "consent.stored.text_not_kept": "Det du skriver, tas ikke vare på.",
  "consent.stored.text_kept": "Det du skriver, lagres også. Ikke skriv noe privat.",
  "consent.stored.panel":
    "Id-en som {panel} kjenner deg ved, og hvordan besøket ditt endte, slik at du kan få betalt. Det holdes atskilt fra svarene dine.",
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
  "headphones.how.huggins":
    "Det er {rounds} korte runder. I hver runde kommer en sus tre ganger, og i én av de tre er det en svak, jevn tone. Tonen oppstår mellom de to ørene dine, så den høres ikke i høyttalere. Si hver gang hvilken sus det var. Gjett hvis du er usikker.",
  "headphones.how.antiphase":
    "Det er {rounds} korte runder. I hver runde kommer en dyp tone tre ganger, og én av de tre er litt svakere enn de andre. Si hver gang hvilken som var svakest. Gjett hvis du er usikker.",
  "headphones.begin": "Begynn testen",
  "headphones.none": "Jeg har ikke hodetelefoner",
  "headphones.leave": "Avbryt testen",
  "headphones.without.asked":
    "Har du ingen hodetelefoner, eller virker ikke testen for deg? Hopp over den: Undersøkelsen går videre med det du lytter gjennom nå.",
  "headphones.without.required":
    "Uten hodetelefoner kan du ikke delta i denne undersøkelsen. Å avbryte testen bruker ikke opp noe forsøk.",
  "headphones.later":
    "Du kan komme tilbake med hodetelefoner: Åpne siden igjen og fortsett herfra.",
  "headphones.found": "Jeg har noen likevel",
  "headphones.round": "Runde {round} av {rounds}",
  "headphones.play.huggins": "Spill av de tre",
  "headphones.play.antiphase": "Spill av de tre",
  "headphones.playing.huggins": "Sus {number} av 3 spilles.",
  "headphones.playing.antiphase": "Tone {number} av 3 spilles.",
  "headphones.which.huggins": "I hvilken var tonen?",
  "headphones.which.antiphase": "Hvilken var svakest?",
  "headphones.option.huggins": "Sus {number}",
  "headphones.option.antiphase": "Tone {number}",
  "headphones.confirm": "Bekreft",
  "headphones.again.title": "Det gikk ikke helt ennå",
  "headphones.again.text":
    "Sjekk at du har hodetelefoner på begge ørene, at det kommer lyd på begge sider, at verken «mono» eller «surround» er slått på, og at det er stille rundt deg. Prøv så en gang til.",
  "headphones.again": "Prøv en gang til",
  "headphones.failed.title": "Denne undersøkelsen krever hodetelefoner",
  "headphones.failed.text":
    "Testen kunne ikke fastslå at du hører gjennom hodetelefoner, så du kan ikke gå videre i denne undersøkelsen. Det sier ikke noe om hvor godt du hører: En monoinnstilling, en side uten lyd eller støy i rommet er nok.",
  "headphones.failed.thanks": "Takk for tiden du brukte. Du trenger ikke gjøre noe mer.",

  "hearing.title": "En kort hørselstest",
  "hearing.why": "Svarene i denne undersøkelsen avhenger av hva som når ørene dine.",
  "hearing.levels.title": "Hvilken er sterkest?",
  "hearing.levels.how":
    "Det er {rounds} korte runder. I hver runde kommer en tone to ganger, og den ene av de to er sterkere. Si hver gang hvilken det var. Gjett hvis du er usikker.",
  "hearing.levels.play": "Spill av de to tonene",
  "hearing.levels.which": "Hvilken var sterkest?",
  "hearing.bandwidth.title": "Hvilken er lysest?",
  "hearing.bandwidth.how":
    "Det er {rounds} korte runder. I hver runde kommer en sus tre ganger, og én av de tre har i tillegg en lys hvesing. Si hver gang hvilken det var. Gjett hvis du er usikker.",
  "hearing.bandwidth.play": "Spill av de tre",
  "hearing.bandwidth.which": "Hvilken hadde den lyse hvesingen?",
  "hearing.digits.title": "Hvilke sifre hører du?",
  "hearing.digits.how":
    "Det er {rounds} korte runder. I hver runde sier en stemme tre sifre i støy, én gang. Skriv dem i samme rekkefølge. Ingen forstår alle: Støyen blir sterkere og svakere underveis. Gjett hvis du er usikker.",
  "hearing.digits.play": "Spill av de tre sifrene",
  "hearing.digits.playing": "Sifrene spilles av.",
  "hearing.digits.heard": "Skriv nå det du hørte.",
  "hearing.digits.which": "Hvilke tre sifre hørte du?",
  "hearing.digits.keypad": "Talltaster",
  "hearing.digits.delete": "Slett det siste sifferet",
  "hearing.playing": "Lyd {number} av {sounds} spilles.",
  "hearing.option": "Lyd {number}",
  "hearing.without.needed":
    "Den som ikke består, kan ikke delta i denne undersøkelsen. Å avbryte testen bruker ikke opp noe forsøk.",
  "hearing.without.asked": "Undersøkelsen går videre etterpå, uansett utfall.",
  "hearing.again.title": "Det gikk ikke helt ennå",
  "hearing.again.text":
    "Sjekk at det er stille rundt deg, at lyden er sterk nok, og at ingen effekt som «loudness» eller støydemping er slått på. Prøv så en gang til.",
  "hearing.failed.title": "Denne undersøkelsen krever andre lytteforhold",
  "hearing.failed.text":
    "Testen kunne ikke fastslå at du hører det undersøkelsen handler om, så du kan ikke gå videre i den. Det sier lite om hvor godt du hører: Utstyr, lydstyrke eller støy i rommet er nok.",

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
  "rest.advice.typing": "La hendene hvile litt, og gå videre når du vil.",
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
  "trial.how.reference":
    "Du får høre en referanse, og så det samme en gang til, kanskje med dårligere lyd. Du kan høre dem så mange ganger du vil.",
  "trial.how.x.free":
    "Du får høre to opptak av det samme, A og B, og X, som er ett av de to en gang til. Lytt så lenge du vil, og bytt når du vil: Det neste fortsetter der du er.",
  "trial.how.x.in_turn":
    "Du får høre to opptak av det samme, A og B, og så X, som er ett av de to en gang til. Du kan høre dem så mange ganger du vil.",
  "trial.how.rated":
    "Sammenlign hver lyd med referansen: hvor god er den ved siden av? Én av lydene er selve referansen og skal ha 100.",
  "trial.how.one": "Du får høre ett opptak. Du kan høre det så mange ganger du vil.",

  "check.title": "To korte sjekker",
  "check.lead":
    "I denne undersøkelsen skal du skrive. Derfor ser vi om du har et tastatur, og om forbindelsen din er god nok til at du kan kjenne det vi spør om.",
  "check.keyboard": "Tastaturet ditt",
  "check.keyboard.ask": "Trykk på disse tastene, én etter én.",
  "check.keyboard.good": "Tastaturet virker.",
  "check.keyboard.none": "Ikke noe tastatur på denne enheten?",
  "check.keyboard.none.text":
    "Tastaturet på en telefonskjerm er ikke nok her. Fortsett på en datamaskin: Åpne denne lenken der, så begynner du der du er nå. Hold den for deg selv.",
  "check.word": "norsk",
  "check.connection": "Forbindelsen din",
  "check.connection.running": "Måles nå. Det tar noen sekunder.",
  "check.connection.good": "God: fram og tilbake på {rtt} ms.",
  "check.connection.poor":
    "Ikke jevn nok akkurat nå: fram og tilbake på {rtt} ms, pluss/minus {jitter} ms.",
  "check.connection.advice":
    "Stopp nedlastinger og videosamtaler, slå av VPN, gå nærmere trådløsruteren eller bruk kabel. Mål så en gang til.",
  "check.connection.lost": "Vi fikk ikke kontakt med serveren.",
  "check.connection.again": "Mål en gang til",
  "check.failed.title": "Denne forbindelsen er for treg til å kjenne forskjellen",
  "check.failed.text":
    "Veien til serveren vår tar alene så lang tid, eller varierer så mye, at den ville skjule det vi spør om. Det sier ikke noe om deg, og det er ingen feil på enheten din.",
  "check.failed.thanks": "Takk for tiden du brukte. Du trenger ikke gjøre noe mer.",

  "typing.first": "Første",
  "typing.second": "Andre",
  "typing.answer": "Svaret ditt",
  "typing.begin.lead":
    "Du skriver det samme to ganger, hver gang i en egen terminal. Kjenn etter hvordan det føles i fingrene: Etterpå spør vi hvilken du likte best.",
  "typing.begin.ready": "Legg hendene på tastaturet. Tiden begynner når terminalen er klar.",
  "typing.begin.limit": "Høyst {minutes} på hver.",
  "typing.begin.first": "Start den første",
  "typing.pause.title": "Den første er ferdig",
  "typing.pause.text":
    "Rist løs hendene og pust ut. Den andre er samme oppgave en gang til. Kjenn etter igjen hvordan det føles.",
  "typing.begin.second": "Start den andre",
  "typing.done": "Ferdig",
  "typing.done.least": "Litt til først. Tastetrykk igjen: {keys}.",
  "typing.done.open": "Du kan stoppe når du er ferdig.",
  "typing.left": "Tid igjen",
  "typing.task": "Oppgaven din",
  "typing.editor.nano":
    "Skriveprogrammet er nano: Bare skriv. Piltastene flytter, rettetasten sletter.",
  "typing.editor.vi":
    "Skriveprogrammet er vi: Trykk i for å skrive, Esc for å slutte å skrive. h, j, k, l eller piltastene flytter, x sletter.",
  "typing.copy": "Skriv disse linjene:",
  "typing.copy.progress": "Skrevet: {percent} %",
  "typing.correct": "Rett ordene som er merket. Under hvert av dem står det som er riktig.",
  "typing.correct.progress": "Rettet: {done} av {total}",
  "typing.correct.to": "skal være {right}",
  "typing.correct.corrected": "rettet",
  "typing.hold":
    "Hold nede {key} på en tom linje, og slipp når tegnene når merket ^ på linjen under. Ble det for langt? Ta bort tegn med rettetasten. Trykk så ↓ to ganger, eller Enter, for neste tomme linje.",
  "typing.hold.progress": "Linjer fylt: {done} av {total}",
  "typing.free": "Skriv om dette, det som faller deg inn:",
  "typing.free.progress": "Tastetrykk: {keys}",
  "typing.done.line": "ferdig",

  "terminal.label": "Terminal: Skriv her. F6 går ut av den.",
  "terminal.leave": "{key} går ut av terminalen, for deg som bare bruker tastatur.",
  "terminal.reader":
    "Det som kommer fram i terminalen, leses ikke opp av seg selv, for undersøkelsen handler om hvor fort det kommer. Hvor langt du er, sies ved siden av.",
  "terminal.connecting": "Kobler til …",
  "terminal.preparing": "Terminalen din gjøres klar …",
  "terminal.finishing": "Et øyeblikk …",
  "terminal.away.title": "Forbindelsen er borte et øyeblikk",
  "terminal.away.text":
    "Det du har skrevet, er tatt vare på. Taster du trykker nå, teller ikke. Vent litt: Det går videre av seg selv.",
  "terminal.held.title": "Et øyeblikk: maskinen henter seg inn",
  "terminal.held.text":
    "Taster du trykker nå, blir ikke tatt imot, og tiden din står stille. Fortsett når denne meldingen er borte.",
  "terminal.unfocused": "Klikk her for å skrive videre",
  "terminal.paste": "Innliming er slått av: Dette handler om å skrive for hånd.",
  "terminal.stuck": "En tast ser ut til å ha hengt seg opp. Slipp den for å skrive videre.",

  "void.title": "Denne teller ikke",
  "void.link-away": "Forbindelsen var borte for lenge. Du gjorde ikke noe galt.",
  "void.hidden": "Siden var ute av syne for lenge. Bli her mens du skriver.",
  "void.host-lost": "Noe gikk galt i laboratoriet vårt. Du gjorde ikke noe galt.",
  "void.host-behind":
    "Maskinen vår klarte ikke å følge med et øyeblikk, og en av tastene dine måtte vente. Du gjorde ikke noe galt.",
  "void.taken-over": "Den ble åpnet i en annen fane eller på en annen enhet i mellomtiden.",
  "void.too-much": "Det kom mer enn noen kan skrive. En tast kan ha hengt seg opp.",
  "void.too-few-keys": "Den tok slutt før det var skrevet nok til å kjenne noe.",
  "void.broken": "Noe gikk galt. Du gjorde ikke noe galt.",
  "void.again": "Gjør den en gang til, fra begynnelsen.",
  "void.begin": "Start på nytt",
  "taken.title": "Du fortsetter et annet sted",
  "taken.text":
    "Denne ble åpnet i en annen fane eller på en annen enhet, og det går bare an å skrive ett sted om gangen.",
  "taken.here": "Fortsett her i stedet",
  "busy.title": "Ingen terminal er ledig for deg akkurat nå",
  "busy.text": "Siden prøver igjen av seg selv om noen sekunder. Du trenger ikke gjøre noe.",

  "answer.send": "Send svaret",
  "gate.free":
    "Hør hvert opptak i {needed} sekunder før du svarer. Så langt: første {first} s, andre {second} s.",
  "gate.free.one": "Hør {needed} sekunder før du svarer. Så langt: {first} s.",
  "gate.share":
    "Hør minst {needed} av de {length} sekundene i hvert opptak før du svarer. Det du hører om igjen, telles bare én gang. Så langt: første {first} s, andre {second} s.",
  "gate.share.one":
    "Hør minst {needed} av de {length} sekundene i opptaket før du svarer. Det du hører om igjen, telles bare én gang. Så langt: {first} s.",
  "gate.free.x":
    "Hør hvert opptak i {needed} sekunder før du svarer. Så langt: A {first} s, B {second} s, X {x} s.",
  "gate.share.x":
    "Hør minst {needed} av de {length} sekundene i hvert opptak før du svarer. Det du hører om igjen, telles bare én gang. Så langt: A {first} s, B {second} s, X {x} s.",
  "gate.in_turn.x": "Hør alle tre helt ut før du svarer.",
  "gate.in_turn": "Hør begge helt ut før du svarer.",
  "gate.in_turn.one": "Hør opptaket helt ut før du svarer.",
  "gate.rated":
    "Hør minst {needed} av {length} sekunder av referansen og av hver lyd, i forskjellige deler. Hørt så langt: {heard} av {all}.",
  "gate.rate": "Alle lydene er hørt. Vurdert så langt: {rated} av {all}.",
  "gate.open": "Du kan svare nå, eller lytte videre.",
  "gate.chosen": "Du kan fortsatt endre valget.",

  "player.label": "Avspiller",
  "player.members": "De to opptakene",
  "player.first": "Første",
  "player.second": "Andre",
  "player.members.three": "A, B og X",
  "player.a": "A",
  "player.b": "B",
  "player.x": "X",
  "player.one": "Opptak",
  "player.reference": "Referanse",
  "player.rated": "Opptak",
  "rated.sounds": "Lydene som skal vurderes",
  "rated.sound": "Lyd {number}",
  "rated.score": "Lyd {number}: poeng",
  "rated.value": "{score}, {word}",
  "rated.none": "ikke vurdert ennå",
  "player.playing": "Spilles",
  "player.chosen": "Valgt",
  "player.listen": "Lytt",
  "player.play": "Spill av",
  "player.pause": "Pause",
  "player.position": "Posisjon",
  "player.position.value": "{seconds} av {length} sekunder",
  "player.blocked.title": "Lyden holdes tilbake",
  "player.blocked.text":
    "Nettleseren har stanset lyden, et annet program bruker den, eller hodetelefonene er borte.",
  "player.blocked.start": "Start lyden",
  "loop.repeat": "Gjenta",
  "loop.part": "Velg delen som gjentas",
  "loop.from": "Fra",
  "loop.to": "Til",
  "loop.seconds": "{seconds} sekunder",
  "turns.both": "Spill av begge",
  "turns.three": "Spill av alle tre",
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
  "keys.members.x": "hør A, B, X",
  "keys.members.rated": "hør den lyden",
  "keys.reference": "hør referansen",
  "keys.members": "hør det første, det andre",
  "keys.arrows": "to sekunder tilbake, fram",
  "keys.bounds": "her begynner, slutter delen som gjentas",
  "keys.repeat": "gjenta delen eller ikke",
  "keys.answers": "velg et svar",
  "keys.send": "send svaret som er valgt",
  "keys.use": "Bruk disse tastene",
  "key.first": "F",
  "key.second": "A",
  "key.x.first": "A",
  "key.x.second": "B",
  "key.no_difference": "I",

  "sending.title": "Svaret ditt sendes",
  "sending.text": "Det ligger på denne enheten til serveren har fått det.",
  "waiting.title": "Venter på forbindelsen",
  "waiting.text":
    "Du har gjort alt denne enheten rakk å hente. Svarene dine ligger her og sendes så snart vi får kontakt med serveren. Da går siden videre av seg selv.",
  "connection.busy": "Mange er her akkurat nå.",
  "connection.no-host": "Maskinen du skal skrive på, gjøres klar.",
  "connection.waits": "La siden være åpen. Den går videre av seg selv om litt.",
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
  "thanks.lead.panel": "Alle svarene dine har kommet fram. Ett skritt gjenstår.",
  "thanks.code": "Koden din",
  "thanks.hand": "Gi den til den som inviterte deg. Den viser at du har fullført.",
  "thanks.withdraw": "Hvis du ombestemmer deg",
  "thanks.withdraw.text":
    "Ta vare på denne lenken. Med den kan du få svarene dine slettet senere, fra hvilken enhet som helst.",
  "debrief.title": "Hva som var hva",
  "debrief.text":
    "Hvis du vil, kan du få vite nå hva du hørte eller skrev, og hva som skjedde med det på veien. Ikke fortell det til noen som ennå ikke har deltatt.",
  "debrief.later":
    "Dette fortelles når undersøkelsen er avsluttet. Ta vare på adressen til denne siden og kom tilbake.",
  "debrief.show": "Fortell meg det",
  "debrief.lost": "Det kunne ikke hentes. Prøv igjen.",
  "debrief.answer": "Du svarte: {answer}.",
  "debrief.twice": "Begge var det samme.",
  "debrief.lost_packets": "{lost} av {packets} pakker gikk tapt.",
  "debrief.not_sent": "Det ble ikke sendt over et nettverk.",
  "debrief.late": "{percent} % av det kom for sent.",
  "debrief.stall": "Den lengste ventetiden var {seconds} s.",
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
  "withdrawn.panel":
    "Ingenting meldes til {panel}. Hvis plassen din der fortsatt står åpen, avslutter du den der.",
  "withdrawn.thanks": "Takk for tiden du brukte.",

  "landing.lead":
    "Kan folk høre hva som skjer med stemmen på vei gjennom nettet? Thinlab sender lyd over en ekte nettverksstakk, tar vare på det som kom fram, og spør lyttere som ikke vet hva som er hva.",
  "landing.take_part": "Delta",
  "landing.lost.title": "Vi får ikke kontakt med serveren",
  "landing.lost.text": "Siden prøver igjen av seg selv.",
  "landing.none": "Ingen undersøkelse her er åpen uten invitasjon. Bruk adressen du har fått.",
  "landing.begin": "Delta",
  "landing.minutes": "Omtrent {minutes} min",
  "landing.heard": "til å lytte til",
  "landing.typed": "til å skrive, med tastatur",
  "landing.full": "Alle plassene er opptatt akkurat nå.",
  "landing.preparing": "Den blir gjort klar og er ikke åpen ennå.",
  "sample.title": "Hør det nå",
  "sample.how":
    "Trykk på den ene, så på den andre: Begge går videre, og du bytter mellom dem. Med hodetelefoner hører du mer.",
  "sample.heard":
    "{seconds} sekunder av det kom for sent til å bli hørt. Hver byte ble i snitt sendt {times} ganger.",
  "sample.loading": "Et øyeblikk: Begge hentes …",
  "sample.failed": "Lyden kunne ikke hentes.",
  "sample.preparing": "Et par å høre på blir spilt inn. Det kommer hit av seg selv.",
  "landing.demo": "En direktedemo",
  "landing.demo.text":
    "Viser noen en for en sal? Med de seks bokstavene på skjermen deres hører du den på din egen telefon.",
  "landing.demo.present": "Vis en selv",
  "nowhere.title": "Det er ingen side på denne adressen",
  "nowhere.text": "Det kan mangle en bokstav, eller siden er borte.",
  "nowhere.home": "Gå til forsiden",
  "landing.desk": "Er det du som holder undersøkelser her?",
  "landing.desk.link": "Gå til forskerens skrivebord",

  "audience.title": "Direktedemo",
  "audience.opening.text": "Demoen åpnes.",
  "audience.unknown.title": "Det er ingen demo på denne adressen",
  "audience.unknown.text": "Sjekk de seks bokstavene som presentatøren viser: Det kan mangle en.",
  "audience.elsewhere.title": "Demoen er åpen i andre faner",
  "audience.elsewhere.text":
    "Fortsett der, eller lukk noen av dem og last inn denne siden på nytt.",
  "audience.code": "De seks bokstavene som presentatøren viser",
  "audience.ended.title": "Demoen er over",
  "audience.ended.late": "Du har kommet etter at den var slutt.",
  "audience.ended.replay": "Se den om igjen",
  "audience.ended.text": "Takk for at du lyttet.",
  "audience.waiting": "Demoen begynner snart. Siden går videre av seg selv.",
  "audience.paused": "Presentatøren har tatt en pause.",
  "audience.anew": "Et øyeblikk: Det begynner på nytt. Siden går videre av seg selv.",
  "audience.stopped": "Demoen står stille akkurat nå. Siden går videre av seg selv.",
  "audience.away": "Forbindelsen er borte. Siden kommer tilbake av seg selv.",
  "audience.listen": "Lytt",
  "audience.listen.text": "Slå på lyden. Med hodetelefoner hører du mer.",
  "audience.sound.opening": "Lyden åpnes …",
  "audience.sound.blocked": "Nettleseren holder lyden tilbake. Trykk på «Lytt» en gang til.",
  "audience.sound.away": "Lyden er borte et øyeblikk. Den kommer tilbake av seg selv.",
  "audience.sound.failed":
    "Lyden kommer ikke fram: Det kan være nettet som stopper den. Alt annet virker.",
  "audience.stop": "Slutt å lytte",
  "audience.level": "Lydstyrke",
  "audience.heard": "Du hører {label}.",
  "audience.choose": "Hva du hører",
  "audience.blind": "Hva som er hva, får du vite senere.",
  "audience.clip": "Alle spiller det samme, i samme øyeblikk.",
  "audience.no_sound": "Det er ingenting å høre akkurat nå, men noe å se.",
  "audience.screens": "Det presentatøren skriver",
  "audience.poll.none": "Ingen forskjell",
  "audience.poll.sending": "Stemmen din er på vei …",
  "audience.poll.thanks":
    "Takk. Stemmen din: {label}. Du kan endre den til avstemningen er lukket.",
  "audience.poll.closed": "Avstemningen er lukket. Stemmen din var {label}.",
  "audience.poll.missed": "Avstemningen er lukket.",
  "audience.poll.result": "Slik stemte salen",
  "audience.reveal.heading": "Hva som var hva",
  "audience.charts": "Hva som skjer med pakkene",
});
