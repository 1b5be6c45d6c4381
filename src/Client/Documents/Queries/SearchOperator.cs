namespace Raven.Client.Documents.Queries;

/// <summary>Whether one of the words of a search is enough.</summary>
public enum SearchOperator
{
    /// <summary>One word is enough.</summary>
    Or,

    /// <summary>All words are needed.</summary>
    And,
}
