-- Names are searched without case and accents now, and ids by themselves (src/db/listing/search-grams.ts). This cuts the names of uploads
-- that are there already anew. The table says what the letters of alphabets are folded to, as src/db/listing/fold-text.ts does; signs
-- beyond it are found as they are written.
CREATE TABLE `folded_letters` (
	`letter` text PRIMARY KEY NOT NULL,
	`folded` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `folded_letters` (`letter`, `folded`)
WITH RECURSIVE `given` (`folded`, `letters`) AS (SELECT `key`, `value` FROM json_each('{
" ":"\u00a0¨¯´¸˘˙˚˛˜˝ͺ΄΅᾽᾿῀῁῍῎῏῝῞῟῭΅´῾\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a‗\u202f‾\u205f",
"a":"ªÀÁÂÃÄÅàáâãäåĀāĂăĄąǍǎǞǟǠǡǺǻȀȁȂȃȦȧᴬᵃḀḁẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặₐÅＡａ","2":"²₂２","3":"³₃３","μ":"µΜ","1":"¹₁１",
"o":"ºÒÓÔÕÖØòóôõöøŌōŎŏŐőƠơǑǒǪǫǬǭǾǿȌȍȎȏȪȫȬȭȮȯȰȱᴼᵒṌṍṎṏṐṑṒṓỌọỎỏỐốỒồỔổỖỗỘộỚớỜờỞởỠỡỢợₒℴＯｏ","1⁄4":"¼","1⁄2":"½","3⁄4":"¾","ae":"ÆæǢǣǼǽᴭ",
"c":"ÇçĆćĈĉĊċČčᶜḈḉℂℭꟲＣｃ","e":"ÈÉÊËèéêëĒēĔĕĖėĘęĚěȄȅȆȇȨȩᴱᵉḔḕḖḗḘḙḚḛḜḝẸẹẺẻẼẽẾếỀềỂểỄễỆệₑℯℰⅇＥｅ","i":"ÌÍÎÏìíîïĨĩĪīĬĭĮįİıǏǐȈȉȊȋᴵᵢḬḭḮḯỈỉỊịⁱℐℑℹⅈＩｉ","ð":"Ðᶞ",
"n":"ÑñŃńŅņŇňǸǹᴺṄṅṆṇṈṉṊṋⁿₙℕＮｎ","u":"ÙÚÛÜùúûüŨũŪūŬŭŮůŰűŲųƯưǓǔǕǖǗǘǙǚǛǜȔȕȖȗᵁᵘᵤṲṳṴṵṶṷṸṹṺṻỤụỦủỨứỪừỬửỮữỰựＵｕ","y":"ÝýÿŶŷŸȲȳʸẎẏẙỲỳỴỵỶỷỸỹＹｙ","þ":"Þ","ss":"ßẞ",
"d":"ĎďĐđᴰᵈḊḋḌḍḎḏḐḑḒḓⅅⅆＤｄ","g":"ĜĝĞğĠġĢģǦǧǴǵᴳᵍḠḡℊＧｇ","h":"ĤĥĦħȞȟʰᴴḢḣḤḥḦḧḨḩḪḫẖₕℋℌℍℎℏꟸＨｈ","ij":"Ĳĳ","j":"ĴĵǰʲᴶⅉⱼＪｊ","k":"ĶķǨǩᴷᵏḰḱḲḳḴḵₖKＫｋ",
"l":"ĹĺĻļĽľŁłˡᴸḶḷḸḹḺḻḼḽₗℒℓＬｌ","l·":"Ŀŀ","ʼn":"ŉ","ŋ":"Ŋᵑ","oe":"Œœꟹ","r":"ŔŕŖŗŘřȐȑȒȓʳᴿᵣṘṙṚṛṜṝṞṟℛℜℝＲｒ","s":"ŚśŜŝŞşŠšſȘșˢṠṡṢṣṤṥṦṧṨṩẛₛ꟱Ｓｓ",
"t":"ŢţŤťŦŧȚțᵀᵗṪṫṬṭṮṯṰṱẗₜＴｔ","w":"ŴŵʷᵂẀẁẂẃẄẅẆẇẈẉẘＷｗ","z":"ŹźŻżŽžᶻẐẑẒẓẔẕℤℨＺｚ","ɓ":"Ɓ","ƃ":"Ƃ","ƅ":"Ƅ","ɔ":"Ɔᵓ","ƈ":"Ƈ","ɖ":"Ɖ","ɗ":"Ɗ","ƌ":"Ƌ",
"ǝ":"Ǝᴲ","ə":"Əᵊₔ","ɛ":"Ɛᵋℇ","ƒ":"Ƒ","ɠ":"Ɠ","ɣ":"Ɣˠ","ɩ":"Ɩᶥ","ɨ":"Ɨᶤ","ƙ":"Ƙ","ɯ":"Ɯᵚ","ɲ":"Ɲᶮ","ɵ":"Ɵᶱ","ƣ":"Ƣ","ƥ":"Ƥ","ʀ":"Ʀ","ƨ":"Ƨ","ʃ":"Ʃᶴ",
"ƭ":"Ƭ","ʈ":"Ʈ","ʊ":"Ʊᶷ","ʋ":"Ʋᶹ","ƴ":"Ƴ","ƶ":"Ƶ","ʒ":"ƷǮǯᶾ","ƹ":"Ƹ","ƽ":"Ƽ","dz":"ǄǅǆǱǲǳ","lj":"Ǉǈǉ","nj":"Ǌǋǌ","ǥ":"Ǥ","ƕ":"Ƕ","ƿ":"Ƿ","ȝ":"Ȝ",
"ƞ":"Ƞ","ȣ":"Ȣᴽ","ȥ":"Ȥ","ⱥ":"Ⱥ","ȼ":"Ȼ","ƚ":"Ƚ","ⱦ":"Ⱦ","ɂ":"Ɂ","ƀ":"Ƀ","ʉ":"Ʉᶶ","ʌ":"Ʌᶺ","ɇ":"Ɇ","ɉ":"Ɉ","ɋ":"Ɋ","ɍ":"Ɍ","ɏ":"Ɏ","ɦ":"ʱꞪ","ɹ":"ʴ",
"ɻ":"ʵ","ʁ":"ʶ","x":"ˣẊẋẌẍₓＸｘ","ʕ":"ˤ",
"":"\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u030d\u030e\u030f\u0310\u0311\u0312\u0313\u0314\u0315\u0316\u0317\u0318\u0319\u031a\u031b\u031c\u031d\u031e\u031f\u0320\u0321\u0322\u0323\u0324\u0325\u0326\u0327\u0328\u0329\u032a\u032b\u032c\u032d\u032e\u032f\u0330\u0331\u0332\u0333\u0334\u0335\u0336\u0337\u0338\u0339\u033a\u033b\u033c\u033d\u033e\u033f\u0340\u0341\u0342\u0343\u0344\u0345\u0346\u0347\u0348\u0349\u034a\u034b\u034c\u034d\u034e\u034f\u0350\u0351\u0352\u0353\u0354\u0355\u0356\u0357\u0358\u0359\u035a\u035b\u035c\u035d\u035e\u035f\u0360\u0361\u0362\u0363\u0364\u0365\u0366\u0367\u0368\u0369\u036a\u036b\u036c\u036d\u036e\u036f\u0485\u0486\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0653\u0654\u0655\u0670\u1dc0\u1dc1\u1dc2\u1dc3\u1dc4\u1dc5\u1dc6\u1dc7\u1dc8\u1dc9\u1dca\u1dcb\u1dcc\u1dcd\u1dce\u1dcf\u1dd0\u1dd1\u1dd2\u1dd3\u1dd4\u1dd5\u1dd6\u1dd7\u1dd8\u1dd9\u1dda\u1ddb\u1ddc\u1ddd\u1dde\u1ddf\u1de0\u1de1\u1de2\u1de3\u1de4\u1de5\u1de6\u1de7\u1de8\u1de9\u1dea\u1deb\u1dec\u1ded\u1dee\u1def\u1df0\u1df1\u1df2\u1df3\u1df4\u1df5\u1df6\u1df7\u1df8\u1df9\u1dfa\u1dfb\u1dfc\u1dfd\u1dfe\u1dff\u20d0\u20d1\u20d2\u20d3\u20d4\u20d5\u20d6\u20d7\u20d8\u20d9\u20da\u20db\u20dc\u20e1\u20e5\u20e6\u20e7\u20e8\u20e9\u20ea\u20eb\u20ec\u20ed\u20ee\u20ef\u20f0\ufe00\ufe01\ufe02\ufe03\ufe04\ufe05\ufe06\ufe07\ufe08\ufe09\ufe0a\ufe0b\ufe0c\ufe0d\ufe0e\ufe0f",
"ͱ":"Ͱ","ͳ":"Ͳ","ʹ":"ʹ","ͷ":"Ͷ",";":";；","ϳ":"Ϳ","α":"ΆΑάἀἁἂἃἄἅἆἇἈἉἊἋἌἍἎἏὰάᾀᾁᾂᾃᾄᾅᾆᾇᾈᾉᾊᾋᾌᾍᾎᾏᾰᾱᾲᾳᾴᾶᾷᾸᾹᾺΆᾼ","·":"·","ε":"ΈΕέϵἐἑἒἓἔἕἘἙἚἛἜἝὲέῈΈ",
"η":"ΉΗήἠἡἢἣἤἥἦἧἨἩἪἫἬἭἮἯὴήᾐᾑᾒᾓᾔᾕᾖᾗᾘᾙᾚᾛᾜᾝᾞᾟῂῃῄῆῇῊΉῌ","ι":"ΊΐΙΪίϊἰἱἲἳἴἵἶἷἸἹἺἻἼἽἾἿὶίιῐῑῒΐῖῗῘῙῚΊ","ο":"ΌΟόὀὁὂὃὄὅὈὉὊὋὌὍὸόῸΌ",
"υ":"ΎΥΫΰϋύϒϓϔὐὑὒὓὔὕὖὗὙὛὝὟὺύῠῡῢΰῦῧῨῩῪΎ","ω":"ΏΩώὠὡὢὣὤὥὦὧὨὩὪὫὬὭὮὯὼώᾠᾡᾢᾣᾤᾥᾦᾧᾨᾩᾪᾫᾬᾭᾮᾯῲῳῴῶῷῺΏῼΩ","β":"Βϐᵝᵦ","γ":"Γᵞᵧℽℾ","δ":"Δᵟ","ζ":"Ζ","θ":"Θϑϴᶿ",
"κ":"Κϰ","λ":"Λ","ν":"Ν","ξ":"Ξ","π":"Πϖℼℿ","ρ":"ΡϱᵨῤῥῬ","σ":"ΣςϲϹ","τ":"Τ","φ":"Φϕᵠᵩ","χ":"Χᵡᵪ","ψ":"Ψ","ϗ":"Ϗ","ϙ":"Ϙ","ϛ":"Ϛ","ϝ":"Ϝ","ϟ":"Ϟ",
"ϡ":"Ϡ","ϣ":"Ϣ","ϥ":"Ϥ","ϧ":"Ϧ","ϩ":"Ϩ","ϫ":"Ϫ","ϭ":"Ϭ","ϯ":"Ϯ","ϸ":"Ϸ","ϻ":"Ϻ","ͻ":"Ͻ","ͼ":"Ͼ","ͽ":"Ͽ","е":"ЀЁЕѐёӖӗ","ђ":"Ђ","г":"ЃГѓ","є":"Є",
"ѕ":"Ѕ","і":"ІЇї","ј":"Ј","љ":"Љ","њ":"Њ","ћ":"Ћ","к":"ЌКќ","и":"ЍИЙйѝӢӣӤӥ","у":"ЎУўӮӯӰӱӲӳ","џ":"Џ","а":"АӐӑӒӓ","б":"Б","в":"Вᲀ","д":"Дᲁ","ж":"ЖӁӂӜӝ",
"з":"ЗӞӟ","л":"Л","м":"М","н":"Нᵸ","о":"ОӦӧᲂ","п":"П","р":"Р","с":"Сᲃ","т":"Тᲄᲅ","ф":"Ф","х":"Х","ц":"Ц","ч":"ЧӴӵ","ш":"Ш","щ":"Щ","ъ":"Ъᲆꚜ",
"ы":"ЫӸӹ","ь":"Ьꚝ","э":"ЭӬӭ","ю":"Ю","я":"Я","ѡ":"Ѡ","ѣ":"Ѣᲇ","ѥ":"Ѥ","ѧ":"Ѧ","ѩ":"Ѩ","ѫ":"Ѫ","ѭ":"Ѭ","ѯ":"Ѯ","ѱ":"Ѱ","ѳ":"Ѳ","ѵ":"ѴѶѷ","ѹ":"Ѹ",
"ѻ":"Ѻ","ѽ":"Ѽ","ѿ":"Ѿ","ҁ":"Ҁ","ҋ":"Ҋ","ҍ":"Ҍ","ҏ":"Ҏ","ґ":"Ґ","ғ":"Ғ","ҕ":"Ҕ","җ":"Җ","ҙ":"Ҙ","қ":"Қ","ҝ":"Ҝ","ҟ":"Ҟ","ҡ":"Ҡ","ң":"Ң","ҥ":"Ҥ",
"ҧ":"Ҧ","ҩ":"Ҩ","ҫ":"Ҫ","ҭ":"Ҭ","ү":"Ү","ұ":"Ұ","ҳ":"Ҳ","ҵ":"Ҵ","ҷ":"Ҷ","ҹ":"Ҹ","һ":"Һ","ҽ":"Ҽ","ҿ":"Ҿ","ӏ":"Ӏ","ӄ":"Ӄ","ӆ":"Ӆ","ӈ":"Ӈ","ӊ":"Ӊ",
"ӌ":"Ӌ","ӎ":"Ӎ","ӕ":"Ӕ","ә":"ӘӚӛ","ӡ":"Ӡ","ө":"ӨӪӫ","ӷ":"Ӷ","ӻ":"Ӻ","ӽ":"Ӽ","ӿ":"Ӿ","ԁ":"Ԁ","ԃ":"Ԃ","ԅ":"Ԅ","ԇ":"Ԇ","ԉ":"Ԉ","ԋ":"Ԋ","ԍ":"Ԍ","ԏ":"Ԏ",
"ԑ":"Ԑ","ԓ":"Ԓ","ԕ":"Ԕ","ԗ":"Ԗ","ԙ":"Ԙ","ԛ":"Ԛ","ԝ":"Ԝ","ԟ":"Ԟ","ԡ":"Ԡ","ԣ":"Ԣ","ԥ":"Ԥ","ԧ":"Ԧ","ԩ":"Ԩ","ԫ":"Ԫ","ԭ":"Ԭ","ԯ":"Ԯ","ա":"Ա","բ":"Բ",
"գ":"Գ","դ":"Դ","ե":"Ե","զ":"Զ","է":"Է","ը":"Ը","թ":"Թ","ժ":"Ժ","ի":"Ի","լ":"Լ","խ":"Խ","ծ":"Ծ","կ":"Կ","հ":"Հ","ձ":"Ձ","ղ":"Ղ","ճ":"Ճ","մ":"Մ",
"յ":"Յ","ն":"Ն","շ":"Շ","ո":"Ո","չ":"Չ","պ":"Պ","ջ":"Ջ","ռ":"Ռ","ս":"Ս","վ":"Վ","տ":"Տ","ր":"Ր","ց":"Ց","ւ":"Ւ","փ":"Փ","ք":"Ք","օ":"Օ","ֆ":"Ֆ",
"եւ":"և","ا":"آأإ","و":"ؤ","ي":"ئ","اٴ":"ٵ","وٴ":"ٶ","ۇٴ":"ٷ","يٴ":"ٸ","ە":"ۀ","ہ":"ۂ","ے":"ۓ","ⴀ":"Ⴀ","ⴁ":"Ⴁ","ⴂ":"Ⴂ","ⴃ":"Ⴃ","ⴄ":"Ⴄ","ⴅ":"Ⴅ",
"ⴆ":"Ⴆ","ⴇ":"Ⴇ","ⴈ":"Ⴈ","ⴉ":"Ⴉ","ⴊ":"Ⴊ","ⴋ":"Ⴋ","ⴌ":"Ⴌ","ⴍ":"Ⴍ","ⴎ":"Ⴎ","ⴏ":"Ⴏ","ⴐ":"Ⴐ","ⴑ":"Ⴑ","ⴒ":"Ⴒ","ⴓ":"Ⴓ","ⴔ":"Ⴔ","ⴕ":"Ⴕ","ⴖ":"Ⴖ","ⴗ":"Ⴗ",
"ⴘ":"Ⴘ","ⴙ":"Ⴙ","ⴚ":"Ⴚ","ⴛ":"Ⴛ","ⴜ":"Ⴜ","ⴝ":"Ⴝ","ⴞ":"Ⴞ","ⴟ":"Ⴟ","ⴠ":"Ⴠ","ⴡ":"Ⴡ","ⴢ":"Ⴢ","ⴣ":"Ⴣ","ⴤ":"Ⴤ","ⴥ":"Ⴥ","ⴧ":"Ⴧ","ⴭ":"Ⴭ","ნ":"ჼᲜ","ꙋ":"ᲈꙊ",
"ᲊ":"Ᲊ","ა":"Ა","ბ":"Ბ","გ":"Გ","დ":"Დ","ე":"Ე","ვ":"Ვ","ზ":"Ზ","თ":"Თ","ი":"Ი","კ":"Კ","ლ":"Ლ","მ":"Მ","ო":"Ო","პ":"Პ","ჟ":"Ჟ","რ":"Რ","ს":"Ს",
"ტ":"Ტ","უ":"Უ","ფ":"Ფ","ქ":"Ქ","ღ":"Ღ","ყ":"Ყ","შ":"Შ","ჩ":"Ჩ","ც":"Ც","ძ":"Ძ","წ":"Წ","ჭ":"Ჭ","ხ":"Ხ","ჯ":"Ჯ","ჰ":"Ჰ","ჱ":"Ჱ","ჲ":"Ჲ","ჳ":"Ჳ",
"ჴ":"Ჴ","ჵ":"Ჵ","ჶ":"Ჶ","ჷ":"Ჷ","ჸ":"Ჸ","ჹ":"Ჹ","ჺ":"Ჺ","ჽ":"Ჽ","ჾ":"Ჾ","ჿ":"Ჿ","b":"ᴮᵇḂḃḄḅḆḇℬＢｂ","m":"ᴹᵐḾḿṀṁṂṃₘℳＭｍ","p":"ᴾᵖṔṕṖṗₚℙＰｐ","ɐ":"ᵄⱯ",
"ɑ":"ᵅⱭ","ᴂ":"ᵆ","ɜ":"ᵌᶟꞫ","ᴖ":"ᵔ","ᴗ":"ᵕ","ᴝ":"ᵙ","v":"ᵛᵥṼṽṾṿⱽＶｖ","ᴥ":"ᵜ","ɒ":"ᶛⱰ","ɕ":"ᶝ","f":"ᶠḞḟℱꟳＦｆ","ɟ":"ᶡ","ɡ":"ᶢꞬ","ɥ":"ᶣꞍ","ɪ":"ᶦꞮ","ᵻ":"ᶧ",
"ʝ":"ᶨꞲ","ɭ":"ᶩ","ᶅ":"ᶪ","ʟ":"ᶫ","ɱ":"ᶬⱮ","ɰ":"ᶭ","ɳ":"ᶯ","ɴ":"ᶰ","ɸ":"ᶲ","ʂ":"ᶳꟅ","ƫ":"ᶵ","ᴜ":"ᶸ","ʐ":"ᶼ","ʑ":"ᶽ","aʾ":"ẚ","ỻ":"Ỻ","ỽ":"Ỽ","ỿ":"Ỿ",
"`":"`｀","‐":"‑",".":"․．","..":"‥","...":"…","′′":"″","′′′":"‴","‵‵":"‶","‵‵‵":"‷","!!":"‼","??":"⁇","?!":"⁈","!?":"⁉","′′′′":"⁗","0":"⁰₀０","4":"⁴₄４",
"5":"⁵₅５","6":"⁶₆６","7":"⁷₇７","8":"⁸₈８","9":"⁹₉９","+":"⁺₊＋","−":"⁻₋","=":"⁼₌＝","(":"⁽₍（",")":"⁾₎）","rs":"₨","a/c":"℀","a/s":"℁","°c":"℃","c/o":"℅",
"c/u":"℆","°f":"℉","no":"№","q":"ℚꟴＱｑ","sm":"℠","tel":"℡","tm":"™","ⅎ":"Ⅎ","א":"ℵ","ב":"ℶ","ג":"ℷ","ד":"ℸ","fax":"℻","∑":"⅀","ⰰ":"Ⰰ","ⰱ":"Ⰱ","ⰲ":"Ⰲ",
"ⰳ":"Ⰳ","ⰴ":"Ⰴ","ⰵ":"Ⰵ","ⰶ":"Ⰶ","ⰷ":"Ⰷ","ⰸ":"Ⰸ","ⰹ":"Ⰹ","ⰺ":"Ⰺ","ⰻ":"Ⰻ","ⰼ":"Ⰼ","ⰽ":"Ⰽ","ⰾ":"Ⰾ","ⰿ":"Ⰿ","ⱀ":"Ⱀ","ⱁ":"Ⱁ","ⱂ":"Ⱂ","ⱃ":"Ⱃ","ⱄ":"Ⱄ",
"ⱅ":"Ⱅ","ⱆ":"Ⱆ","ⱇ":"Ⱇ","ⱈ":"Ⱈ","ⱉ":"Ⱉ","ⱊ":"Ⱊ","ⱋ":"Ⱋ","ⱌ":"Ⱌ","ⱍ":"Ⱍ","ⱎ":"Ⱎ","ⱏ":"Ⱏ","ⱐ":"Ⱐ","ⱑ":"Ⱑ","ⱒ":"Ⱒ","ⱓ":"Ⱓ","ⱔ":"Ⱔ","ⱕ":"Ⱕ","ⱖ":"Ⱖ",
"ⱗ":"Ⱗ","ⱘ":"Ⱘ","ⱙ":"Ⱙ","ⱚ":"Ⱚ","ⱛ":"Ⱛ","ⱜ":"Ⱜ","ⱝ":"Ⱝ","ⱞ":"Ⱞ","ⱟ":"Ⱟ","ⱡ":"Ⱡ","ɫ":"Ɫꭞ","ᵽ":"Ᵽ","ɽ":"Ɽ","ⱨ":"Ⱨ","ⱪ":"Ⱪ","ⱬ":"Ⱬ","ⱳ":"Ⱳ","ⱶ":"Ⱶ",
"ȿ":"Ȿ","ɀ":"Ɀ","ⲁ":"Ⲁ","ⲃ":"Ⲃ","ⲅ":"Ⲅ","ⲇ":"Ⲇ","ⲉ":"Ⲉ","ⲋ":"Ⲋ","ⲍ":"Ⲍ","ⲏ":"Ⲏ","ⲑ":"Ⲑ","ⲓ":"Ⲓ","ⲕ":"Ⲕ","ⲗ":"Ⲗ","ⲙ":"Ⲙ","ⲛ":"Ⲛ","ⲝ":"Ⲝ","ⲟ":"Ⲟ",
"ⲡ":"Ⲡ","ⲣ":"Ⲣ","ⲥ":"Ⲥ","ⲧ":"Ⲧ","ⲩ":"Ⲩ","ⲫ":"Ⲫ","ⲭ":"Ⲭ","ⲯ":"Ⲯ","ⲱ":"Ⲱ","ⲳ":"Ⲳ","ⲵ":"Ⲵ","ⲷ":"Ⲷ","ⲹ":"Ⲹ","ⲻ":"Ⲻ","ⲽ":"Ⲽ","ⲿ":"Ⲿ","ⳁ":"Ⳁ","ⳃ":"Ⳃ",
"ⳅ":"Ⳅ","ⳇ":"Ⳇ","ⳉ":"Ⳉ","ⳋ":"Ⳋ","ⳍ":"Ⳍ","ⳏ":"Ⳏ","ⳑ":"Ⳑ","ⳓ":"Ⳓ","ⳕ":"Ⳕ","ⳗ":"Ⳗ","ⳙ":"Ⳙ","ⳛ":"Ⳛ","ⳝ":"Ⳝ","ⳟ":"Ⳟ","ⳡ":"Ⳡ","ⳣ":"Ⳣ","ⳬ":"Ⳬ","ⳮ":"Ⳮ",
"ⳳ":"Ⳳ","ꙁ":"Ꙁ","ꙃ":"Ꙃ","ꙅ":"Ꙅ","ꙇ":"Ꙇ","ꙉ":"Ꙉ","ꙍ":"Ꙍ","ꙏ":"Ꙏ","ꙑ":"Ꙑ","ꙓ":"Ꙓ","ꙕ":"Ꙕ","ꙗ":"Ꙗ","ꙙ":"Ꙙ","ꙛ":"Ꙛ","ꙝ":"Ꙝ","ꙟ":"Ꙟ","ꙡ":"Ꙡ","ꙣ":"Ꙣ",
"ꙥ":"Ꙥ","ꙧ":"Ꙧ","ꙩ":"Ꙩ","ꙫ":"Ꙫ","ꙭ":"Ꙭ","ꚁ":"Ꚁ","ꚃ":"Ꚃ","ꚅ":"Ꚅ","ꚇ":"Ꚇ","ꚉ":"Ꚉ","ꚋ":"Ꚋ","ꚍ":"Ꚍ","ꚏ":"Ꚏ","ꚑ":"Ꚑ","ꚓ":"Ꚓ","ꚕ":"Ꚕ","ꚗ":"Ꚗ","ꚙ":"Ꚙ",
"ꚛ":"Ꚛ","ꜣ":"Ꜣ","ꜥ":"Ꜥ","ꜧ":"Ꜧꭜ","ꜩ":"Ꜩ","ꜫ":"Ꜫ","ꜭ":"Ꜭ","ꜯ":"Ꜯ","ꜳ":"Ꜳ","ꜵ":"Ꜵ","ꜷ":"Ꜷ","ꜹ":"Ꜹ","ꜻ":"Ꜻ","ꜽ":"Ꜽ","ꜿ":"Ꜿ","ꝁ":"Ꝁ","ꝃ":"Ꝃ","ꝅ":"Ꝅ",
"ꝇ":"Ꝇ","ꝉ":"Ꝉ","ꝋ":"Ꝋ","ꝍ":"Ꝍ","ꝏ":"Ꝏ","ꝑ":"Ꝑ","ꝓ":"Ꝓ","ꝕ":"Ꝕ","ꝗ":"Ꝗ","ꝙ":"Ꝙ","ꝛ":"Ꝛ","ꝝ":"Ꝝ","ꝟ":"Ꝟ","ꝡ":"Ꝡ","ꝣ":"Ꝣ","ꝥ":"Ꝥ","ꝧ":"Ꝧ","ꝩ":"Ꝩ",
"ꝫ":"Ꝫ","ꝭ":"Ꝭ","ꝯ":"Ꝯꝰ","ꝺ":"Ꝺ","ꝼ":"Ꝼ","ᵹ":"Ᵹ","ꝿ":"Ꝿ","ꞁ":"Ꞁ","ꞃ":"Ꞃ","ꞅ":"Ꞅ","ꞇ":"Ꞇ","ꞌ":"Ꞌ","ꞑ":"Ꞑ","ꞓ":"Ꞓ","ꞗ":"Ꞗ","ꞙ":"Ꞙ","ꞛ":"Ꞛ","ꞝ":"Ꞝ",
"ꞟ":"Ꞟ","ꞡ":"Ꞡ","ꞣ":"Ꞣ","ꞥ":"Ꞥ","ꞧ":"Ꞧ","ꞩ":"Ꞩ","ɬ":"Ɬ","ʞ":"Ʞ","ʇ":"Ʇ","ꭓ":"Ꭓ","ꞵ":"Ꞵ","ꞷ":"Ꞷ","ꞹ":"Ꞹ","ꞻ":"Ꞻ","ꞽ":"Ꞽ","ꞿ":"Ꞿ","ꟁ":"Ꟁ","ꟃ":"Ꟃ",
"ꞔ":"Ꞔ","ᶎ":"Ᶎ","ꟈ":"Ꟈ","ꟊ":"Ꟊ","ɤ":"Ɤ","ꟍ":"Ꟍ","꟏":"꟎","ꟑ":"Ꟑ","ꟓ":"꟒","ꟕ":"꟔","ꟗ":"Ꟗ","ꟙ":"Ꟙ","ꟛ":"Ꟛ","ƛ":"Ƛ","ꟶ":"Ꟶ","ꬷ":"ꭝ","ꭒ":"ꭟ","ʍ":"ꭩ",
"ff":"ﬀ","fi":"ﬁ","fl":"ﬂ","ffi":"ﬃ","ffl":"ﬄ","st":"ﬅﬆ","մն":"ﬓ","մե":"ﬔ","մի":"ﬕ","վն":"ﬖ","մխ":"ﬗ","!":"！","\"":"＂","#":"＃","$":"＄","%":"％",
"&":"＆","''":"＇","*":"＊",",":"，","-":"－","/":"／",":":"：","<":"＜",">":"＞","?":"？","@":"＠","[":"［","\\":"＼","]":"］","^":"＾","_":"＿","{":"｛","|":"｜",
"}":"｝","~":"～","⦅":"｟","𐐨":"𐐀","𐐩":"𐐁","𐐪":"𐐂","𐐫":"𐐃","𐐬":"𐐄","𐐭":"𐐅","𐐮":"𐐆","𐐯":"𐐇","𐐰":"𐐈","𐐱":"𐐉","𐐲":"𐐊","𐐳":"𐐋",
"𐐴":"𐐌","𐐵":"𐐍","𐐶":"𐐎","𐐷":"𐐏","𐐸":"𐐐","𐐹":"𐐑","𐐺":"𐐒","𐐻":"𐐓","𐐼":"𐐔","𐐽":"𐐕","𐐾":"𐐖","𐐿":"𐐗","𐑀":"𐐘","𐑁":"𐐙","𐑂":"𐐚",
"𐑃":"𐐛","𐑄":"𐐜","𐑅":"𐐝","𐑆":"𐐞","𐑇":"𐐟","𐑈":"𐐠","𐑉":"𐐡","𐑊":"𐐢","𐑋":"𐐣","𐑌":"𐐤","𐑍":"𐐥","𐑎":"𐐦","𐑏":"𐐧","𞤢":"𞤀","𞤣":"𞤁",
"𞤤":"𞤂","𞤥":"𞤃","𞤦":"𞤄","𞤧":"𞤅","𞤨":"𞤆","𞤩":"𞤇","𞤪":"𞤈","𞤫":"𞤉","𞤬":"𞤊","𞤭":"𞤋","𞤮":"𞤌","𞤯":"𞤍","𞤰":"𞤎","𞤱":"𞤏","𞤲":"𞤐",
"𞤳":"𞤑","𞤴":"𞤒","𞤵":"𞤓","𞤶":"𞤔","𞤷":"𞤕","𞤸":"𞤖","𞤹":"𞤗","𞤺":"𞤘","𞤻":"𞤙","𞤼":"𞤚","𞤽":"𞤛","𞤾":"𞤜","𞤿":"𞤝","𞥀":"𞤞","𞥁":"𞤟",
"𞥂":"𞤠","𞥃":"𞤡"
}')),
`each_letter` (`folded`, `letters`, `at`) AS (
	SELECT `folded`, `letters`, 1 FROM `given`
	UNION ALL SELECT `folded`, `letters`, `at` + 1 FROM `each_letter` WHERE `at` < length(`letters`)
)
SELECT substr(`letters`, `at`, 1), `folded` FROM `each_letter`;
--> statement-breakpoint
CREATE TABLE `name_places` (`at` integer PRIMARY KEY NOT NULL);
--> statement-breakpoint
INSERT INTO `name_places` (`at`) WITH RECURSIVE `place` (`at`) AS (SELECT 1 UNION ALL SELECT `at` + 1 FROM `place` WHERE `at` < 3200) SELECT `at` FROM `place`;
--> statement-breakpoint
DROP TABLE `upload_search`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `upload_search` USING fts5(`grams`, content='', contentless_delete=1, tokenize="ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~ '");
--> statement-breakpoint
-- A sixteenth of the uploads at a time: D1 ends what takes longer than thirty seconds.
CREATE TABLE `slice_under_way` (`slice` integer PRIMARY KEY NOT NULL);
--> statement-breakpoint
INSERT INTO `slice_under_way` (`slice`) VALUES (0);
--> statement-breakpoint
CREATE VIEW `cut_names` AS WITH `named` AS (
	SELECT `number`, `account_id`, substr(`object_key`, 63) AS `stored`, `original_filename` AS `original`, substr(`object_key`, 35, 28) AS `path`
	FROM `uploads` WHERE (`number` >> 20) % 16 = (SELECT `slice` FROM `slice_under_way`)
),
`folded` AS MATERIALIZED (
	SELECT `number`, `account_id`, `path`,
		(SELECT group_concat(ifnull(`folded`, lower(substr(`stored`, `at`, 1))), '' ORDER BY `at`) FROM `name_places` LEFT JOIN `folded_letters` ON `letter` = substr(`stored`, `at`, 1) WHERE `at` <= length(`stored`)) AS `stored`,
		(SELECT group_concat(ifnull(`folded`, lower(substr(`original`, `at`, 1))), '' ORDER BY `at`) FROM `name_places` LEFT JOIN `folded_letters` ON `letter` = substr(`original`, `at`, 1) WHERE `at` <= length(`original`)) AS `original`
	FROM `named`
),
`texts` AS MATERIALIZED (
	SELECT `number`, `account_id`, `path` || `stored` || char(8232, 8232) AS `text`, iif(`stored` = `original`, '', `original` || char(8232, 8232)) AS `other` FROM `folded`
)
SELECT `number`,
	(SELECT group_concat(iif(`at` <= 28, '/', '') || `account_id` || substr(`text`, `at`, 3), char(10) ORDER BY `at`) FROM `name_places` WHERE `at` <= length(`text`) - 2)
	|| ifnull(char(10) || (SELECT group_concat(`account_id` || substr(`other`, `at`, 3), char(10) ORDER BY `at`) FROM `name_places` WHERE `at` <= length(`other`) - 2), '') AS `grams`
FROM `texts`;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
INSERT INTO `upload_search` (`rowid`, `grams`) SELECT `number`, `grams` FROM `cut_names`;
--> statement-breakpoint
UPDATE `slice_under_way` SET `slice` = `slice` + 1;
--> statement-breakpoint
DROP VIEW `cut_names`;
--> statement-breakpoint
DROP TABLE `slice_under_way`;
--> statement-breakpoint
DROP TABLE `name_places`;
--> statement-breakpoint
DROP TABLE `folded_letters`;
