namespace Raven.Search.Analysis;

/// <summary>One term that an analyzer found, and where.</summary>
/// <param name="TermOffset">Where its bytes start in <see cref="TokenBuffer"/>.</param>
/// <param name="TermLength">How many bytes it has.</param>
/// <param name="Start">Where its text starts, in bytes from the start of the value.</param>
/// <param name="Length">How many bytes of text it stands for.</param>
/// <param name="Position">Its place among the words, from 0; a removed stop word leaves a gap.</param>
public readonly record struct Token(int TermOffset, int TermLength, int Start, int Length, int Position);
