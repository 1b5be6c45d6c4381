namespace Raven.Search.Analysis;

/// <summary>The places at which words end.</summary>
internal enum WordBreaking
{
    /// <summary>By the word boundaries of UAX #29.</summary>
    Words,

    /// <summary>By the word boundaries of UAX #29 as the first version had them.</summary>
    OlderWords,

    /// <summary>By the rules of Lucene's ClassicTokenizer.</summary>
    Classic,

    /// <summary>At characters that are no letters.</summary>
    Letters,

    /// <summary>At white space.</summary>
    WhiteSpace,
}
