// Writes src/Scripting/Text/unicode.txt from the tables of node's ICU: properties for \p{...}, decompositions and
// combining classes for normalize, and the root order for localeCompare. Numbers are in base 36. A set of code points is
// a list of pairs: how many are skipped, and how many follow less one.
const out = [`# Unicode ${process.versions.unicode}, made by tests/SlowTests/Scripting/unicode-tables.js from node's ICU. Data: Unicode License v3.`];
const N = 0x110000;
const chr = c => String.fromCodePoint(c);
const b36 = n => n.toString(36);
const all = [];
for (let c = 0; c < N; c++) all.push(c);

function ranges(test) {
  const list = [];
  let end = 0;
  for (let c = 0; c < N; c++) {
    if (!test(c)) continue;
    let last = c;
    while (last + 1 < N && test(last + 1)) last++;
    list.push(b36(c - end), b36(last - c));
    end = last + 1;
    c = last;
  }
  return list.join(' ');
}

const property = text => { const r = new RegExp(`^\\p{${text}}$`, 'u'); return c => r.test(chr(c)); };

const categories = 'Lu=Uppercase_Letter Ll=Lowercase_Letter Lt=Titlecase_Letter Lm=Modifier_Letter Lo=Other_Letter Mn=Nonspacing_Mark Mc=Spacing_Mark Me=Enclosing_Mark Nd=Decimal_Number=digit Nl=Letter_Number No=Other_Number Pc=Connector_Punctuation Pd=Dash_Punctuation Ps=Open_Punctuation Pe=Close_Punctuation Pi=Initial_Punctuation Pf=Final_Punctuation Po=Other_Punctuation Sm=Math_Symbol Sc=Currency_Symbol Sk=Modifier_Symbol So=Other_Symbol Zs=Space_Separator Zl=Line_Separator Zp=Paragraph_Separator Cc=Control=cntrl Cf=Format Cs=Surrogate Co=Private_Use Cn=Unassigned';
for (const names of categories.split(' ')) out.push(`category ${names} ${ranges(property(names.split('=')[0]))}`);
const groups = { 'LC=Cased_Letter': 'Lu Ll Lt', 'L=Letter': 'Lu Ll Lt Lm Lo', 'M=Mark=Combining_Mark': 'Mn Mc Me', 'N=Number': 'Nd Nl No', 'P=Punctuation=punct': 'Pc Pd Ps Pe Pi Pf Po', 'S=Symbol': 'Sm Sc Sk So', 'Z=Separator': 'Zs Zl Zp', 'C=Other': 'Cc Cf Cs Co Cn' };
for (const names in groups) out.push(`group ${names} ${groups[names]}`);

const binary = 'ASCII_Hex_Digit=AHex Alphabetic=Alpha Bidi_Control=Bidi_C Bidi_Mirrored=Bidi_M Case_Ignorable=CI Cased Changes_When_Casefolded=CWCF Changes_When_Casemapped=CWCM Changes_When_Lowercased=CWL Changes_When_NFKC_Casefolded=CWKCF Changes_When_Titlecased=CWT Changes_When_Uppercased=CWU Dash Default_Ignorable_Code_Point=DI Deprecated=Dep Diacritic=Dia Emoji Emoji_Component=EComp Emoji_Modifier=EMod Emoji_Modifier_Base=EBase Emoji_Presentation=EPres Extended_Pictographic=ExtPict Extender=Ext Grapheme_Base=Gr_Base Grapheme_Extend=Gr_Ext Hex_Digit=Hex IDS_Binary_Operator=IDSB IDS_Trinary_Operator=IDST ID_Continue=IDC ID_Start=IDS Ideographic=Ideo Join_Control=Join_C Logical_Order_Exception=LOE Lowercase=Lower Math Noncharacter_Code_Point=NChar Pattern_Syntax=Pat_Syn Pattern_White_Space=Pat_WS Quotation_Mark=QMark Radical Regional_Indicator=RI Sentence_Terminal=STerm Soft_Dotted=SD Terminal_Punctuation=Term Unified_Ideograph=UIdeo Uppercase=Upper Variation_Selector=VS White_Space=space XID_Continue=XIDC XID_Start=XIDS';
for (const names of binary.split(' ')) out.push(`binary ${names} ${ranges(property(names.split('=')[0]))}`);

const scripts = 'Adlm=Adlam Aghb=Caucasian_Albanian Ahom Arab=Arabic Armi=Imperial_Aramaic Armn=Armenian Avst=Avestan Bali=Balinese Bamu=Bamum Bass=Bassa_Vah Batk=Batak Beng=Bengali Berf=Beria_Erfe Bhks=Bhaiksuki Bopo=Bopomofo Brah=Brahmi Brai=Braille Bugi=Buginese Buhd=Buhid Cakm=Chakma Cans=Canadian_Aboriginal Cari=Carian Cham Cher=Cherokee Chrs=Chorasmian Copt=Coptic=Qaac Cpmn=Cypro_Minoan Cprt=Cypriot Cyrl=Cyrillic Deva=Devanagari Diak=Dives_Akuru Dogr=Dogra Dsrt=Deseret Dupl=Duployan Egyp=Egyptian_Hieroglyphs Elba=Elbasan Elym=Elymaic Ethi=Ethiopic Gara=Garay Geor=Georgian Glag=Glagolitic Gong=Gunjala_Gondi Gonm=Masaram_Gondi Goth=Gothic Gran=Grantha Grek=Greek Gujr=Gujarati Gukh=Gurung_Khema Guru=Gurmukhi Hang=Hangul Hani=Han Hano=Hanunoo Hatr=Hatran Hebr=Hebrew Hira=Hiragana Hluw=Anatolian_Hieroglyphs Hmng=Pahawh_Hmong Hmnp=Nyiakeng_Puachue_Hmong Hung=Old_Hungarian Ital=Old_Italic Java=Javanese Kali=Kayah_Li Kana=Katakana Kawi Khar=Kharoshthi Khmr=Khmer Khoj=Khojki Kits=Khitan_Small_Script Knda=Kannada Krai=Kirat_Rai Kthi=Kaithi Lana=Tai_Tham Laoo=Lao Latn=Latin Lepc=Lepcha Limb=Limbu Lina=Linear_A Linb=Linear_B Lisu Lyci=Lycian Lydi=Lydian Mahj=Mahajani Maka=Makasar Mand=Mandaic Mani=Manichaean Marc=Marchen Medf=Medefaidrin Mend=Mende_Kikakui Merc=Meroitic_Cursive Mero=Meroitic_Hieroglyphs Mlym=Malayalam Modi Mong=Mongolian Mroo=Mro Mtei=Meetei_Mayek Mult=Multani Mymr=Myanmar Nagm=Nag_Mundari Nand=Nandinagari Narb=Old_North_Arabian Nbat=Nabataean Newa Nkoo=Nko Nshu=Nushu Ogam=Ogham Olck=Ol_Chiki Onao=Ol_Onal Orkh=Old_Turkic Orya=Oriya Osge=Osage Osma=Osmanya Ougr=Old_Uyghur Palm=Palmyrene Pauc=Pau_Cin_Hau Perm=Old_Permic Phag=Phags_Pa Phli=Inscriptional_Pahlavi Phlp=Psalter_Pahlavi Phnx=Phoenician Plrd=Miao Prti=Inscriptional_Parthian Rjng=Rejang Rohg=Hanifi_Rohingya Runr=Runic Samr=Samaritan Sarb=Old_South_Arabian Saur=Saurashtra Sgnw=SignWriting Shaw=Shavian Shrd=Sharada Sidd=Siddham Sidt=Sidetic Sind=Khudawadi Sinh=Sinhala Sogd=Sogdian Sogo=Old_Sogdian Sora=Sora_Sompeng Soyo=Soyombo Sund=Sundanese Sunu=Sunuwar Sylo=Syloti_Nagri Syrc=Syriac Tagb=Tagbanwa Takr=Takri Tale=Tai_Le Talu=New_Tai_Lue Taml=Tamil Tang=Tangut Tavt=Tai_Viet Tayo=Tai_Yo Telu=Telugu Tfng=Tifinagh Tglg=Tagalog Thaa=Thaana Thai Tibt=Tibetan Tirh=Tirhuta Tnsa=Tangsa Todr=Todhri Tols=Tolong_Siki Toto Tutg=Tulu_Tigalari Ugar=Ugaritic Vaii=Vai Vith=Vithkuqi Wara=Warang_Citi Wcho=Wancho Xpeo=Old_Persian Xsux=Cuneiform Yezi=Yezidi Yiii=Yi Zanb=Zanabazar_Square Zinh=Inherited=Qaai Zyyy=Common';
for (const names of scripts.split(' ')) {
  const name = names.split('=')[0];
  let script;
  try { script = property(`Script=${name}`); } catch { continue; }
  const own = ranges(script), extended = ranges(property(`Script_Extensions=${name}`));
  out.push(`script ${names} ${own}`);
  if (own !== extended) out.push(`extensions ${names} ${extended}`);
}

// Full decompositions, canonical and by compatibility; syllables of Hangul are computed.
const isHangul = c => c >= 0xac00 && c < 0xac00 + 11172;
const isLone = c => c >= 0xd800 && c < 0xe000;
const points = s => [...s].map(x => b36(x.codePointAt(0))).join(',');
const canonical = [], compatible = [], pairs = [];
let before = [0, 0, 0];
const step = (which, c) => { const d = b36(c - before[which]); before[which] = c; return d; };
for (const c of all) {
  if (isHangul(c) || isLone(c)) continue;
  const s = chr(c), d = s.normalize('NFD'), k = s.normalize('NFKD');
  if (d !== s) canonical.push(`${step(0, c)},${points(d)}`);
  if (k !== d) compatible.push(`${step(1, c)},${points(k)}`);
  if (d !== s && s.normalize('NFC') === s) {
    const parts = [...d], last = parts.pop(), first = parts.join('').normalize('NFC');
    if ([...first].length !== 1) throw new Error(`U+${c.toString(16)} is no pair`);
    pairs.push(`${step(2, c)},${points(first + last)}`);
  }
}
out.push(`canonical all ${canonical.join(' ')}`, `compatible all ${compatible.join(' ')}`, `pairs all ${pairs.join(' ')}`);

// The class of a mark is that of the reference with which it does not change places.
const references = Object.entries({ 1: 0x334, 6: 0x16ff0, 7: 0x93c, 8: 0x3099, 9: 0x94d, 10: 0x5b0, 11: 0x5b1, 12: 0x5b2, 13: 0x5b3, 14: 0x5b4, 15: 0x5b5, 16: 0x5b6, 17: 0x5b7, 18: 0x5b8, 19: 0x5b9, 20: 0x5bb, 21: 0x5bc, 22: 0x5bd, 23: 0x5bf, 24: 0x5c1, 25: 0x5c2, 26: 0xfb1e, 27: 0x64b, 28: 0x64c, 29: 0x64d, 30: 0x618, 31: 0x619, 32: 0x61a, 33: 0x651, 34: 0x652, 35: 0x670, 36: 0x711, 84: 0xc55, 91: 0xc56, 103: 0xe38, 107: 0xe48, 118: 0xeb8, 122: 0xec8, 129: 0xf71, 130: 0xf72, 132: 0xf74, 202: 0x321, 214: 0x1dce, 216: 0x31b, 218: 0x1dfa, 220: 0x316, 222: 0x59a, 224: 0x302e, 226: 0x1d16d, 228: 0x5ae, 230: 0x300, 232: 0x315, 233: 0x35c, 234: 0x35d, 240: 0x345 });
const moves = (a, b) => (chr(a) + chr(b)).normalize('NFD') !== chr(a) + chr(b);
const classes = {};
for (const c of all) {
  if (isLone(c) || chr(c).normalize('NFD') !== chr(c)) continue;
  if (!moves(c, 0x334) && !moves(0x345, c)) continue;
  const found = references.find(([, r]) => !moves(c, r) && !moves(r, c));
  if (!found) throw new Error(`U+${c.toString(16)} has an unknown class`);
  (classes[found[0]] ??= new Set()).add(c);
}
for (const k in classes) out.push(`class ${k} ${ranges(c => classes[k].has(c))}`);

// Letters without a decomposition that are two in the root order.
const letters = new Intl.Collator('en', { sensitivity: 'base' }).compare;
const accents = new Intl.Collator('en', { sensitivity: 'accent' }).compare;
const forms = new Intl.Collator('en', { sensitivity: 'variant' }).compare;
const latin = property('Script=Latin'), alphabet = 'abcdefghijklmnopqrstuvwxyz'.split('');
const twoLetters = alphabet.flatMap(x => alphabet.map(y => x + y));
const expansions = new Map();
for (const c of all.filter(x => x > 0x7f && latin(x) && chr(x).normalize('NFKD') === chr(x))) {
  const two = twoLetters.find(x => letters(chr(c), x) === 0);
  if (two) expansions.set(c, two);
}
let expanded = 0;
out.push(`expansions all ${[...expansions].map(([c, two]) => { const d = b36(c - expanded); expanded = c; return `${d},${points(two)}`; }).join(' ')}`);

// The root order of what has neither, but for ideographs and other rare scripts: '<' begins a new letter, ';' another
// accent, ',' another form of it, '=' the same. A number is the difference to the one before.
const symbols = property('S'), unassigned = property('Cn'), ideographs = property('Unified_Ideograph'), other = property('Co');
const ordered = all.filter(c => (c < 0x10000 || symbols(c)) && !expansions.has(c) && !isLone(c) && !isHangul(c) && !ideographs(c) && !unassigned(c) && !other(c)
  && chr(c).normalize('NFKD') === chr(c) && !(c >= 0xa000 && c < 0xa4d0));
const keyed = ordered.map(c => [c, chr(c)]);
keyed.sort((x, y) => forms(x[1], y[1]) || x[0] - y[0]);
const order = [];
let previous = '', last = 0;
for (const [c, s] of keyed) {
  const op = letters(previous, s) ? '<' : accents(previous, s) ? ';' : forms(previous, s) ? ',' : '=';
  order.push(op + b36(Math.abs(c - last)) + (c < last ? '-' : ''));
  [previous, last] = [s, c];
}
out.push(`order all ${order.join('')}`);
process.stdout.write(out.join('\n') + '\n');
