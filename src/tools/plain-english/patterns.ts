/** A way to write that makes sentences hard to read. */
export interface Pattern {
  readonly name: string;
  readonly expression: RegExp;
  /** Labels are not judged by it, because they may be part of a sentence: "By date". */
  readonly isForSentences?: boolean;
}

const words = (list: string, flags = "i") => new RegExp(`\\b(?:${list})\\b`, flags);

export const PATTERNS: readonly Pattern[] = [
  {
    name: "starts with a preposition: name the thing first",
    expression:
      /^(?:Of|By|In|With|For|Behind|Beside|Beyond|Without|From|Before|After|Also|As|At(?! most)|On|Where|Whose|Between|Until|Since|Under|Over)\b/,
    isForSentences: true,
  },
  {
    name: "starts with a relative pronoun: begin with a noun",
    expression: /(?:^|[.:;] )(?:What|Whoever|Whatever|Who|Where)\b(?![^.]*\?)/,
    isForSentences: true,
  },
  {
    name: '"what is": use the noun that "what" stands for',
    expression: words("what (?:is|was|has|had|comes|came|they|it|a|an|the|we|nobody|one|others?)"),
  },
  { name: "nobody acts: name who does", expression: words("whoever|nobody|anybody|whatever|everybody") },
  { name: '"so many": name the figure', expression: words("so (?:many|much|long|often|few|far|old)") },
  {
    name: '"where" for "if" or "when"',
    expression: words(
      "where (?:it|they|there|one|a|an|the|that|R2|no|some|what|he|this|its|each|nothing|both|two|another|any|all)",
    ),
  },
  {
    name: '"one that": repeat the noun',
    expression: words("one that|those that|those of|the one that|ones that|that of|another one"),
  },
  {
    name: '"is told", "says which": records, returns, contains, reports',
    expression: words(
      "(?:is|are|was|were|be) (?:told|said|asked|heeded)|tells? (?:the|its|how|which|what|it|that)|says? (?:so|how|what|which|that|it|nothing)",
    ),
  },
];

const PROGRAMS = "axe|axios|curl|exiftool|ffmpeg|libjpeg|publint|rclone|tus-js-client|tuspy|unpic";

/** Beginnings of a test's title that is not read without its `describe`. Programs with a lower-case name may begin one. */
export const NO_SUBJECT = new RegExp(`^(?:(?!(?:${PROGRAMS})\\b)[a-z]|(?:It|They|Its|That)\\b)`);
