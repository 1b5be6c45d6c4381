namespace Raven.Search.Analysis;

/// <summary>Where words end.</summary>
internal enum WordBreaking
{
    /// <summary>By the word boundaries of UAX #29.</summary>
    Words,

    /// <summary>By the rules of Lucene's ClassicTokenizer.</summary>
    Classic,

    /// <summary>At what is not a letter.</summary>
    Letters,

    /// <summary>At white space.</summary>
    WhiteSpace,
}
