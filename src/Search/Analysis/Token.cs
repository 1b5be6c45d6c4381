namespace Raven.Search.Analysis;

/// <summary>One term that an analyzer found, and its place.</summary>
/// <param name="TermOffset">The offset of its bytes in <see cref="TokenBuffer"/>.</param>
/// <param name="TermLength">The length of its bytes.</param>
/// <param name="Start">The offset of its text, in bytes from the start of the value.</param>
/// <param name="Length">How many bytes of text it stands for.</param>
/// <param name="Position">Its place among the words, from 0; a removed stop word leaves a gap.</param>
public readonly record struct Token(int TermOffset, int TermLength, int Start, int Length, int Position);
