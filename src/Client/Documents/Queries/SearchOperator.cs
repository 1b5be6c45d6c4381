namespace Raven.Client.Documents.Queries;

/// <summary>Whether one of the words of a search is enough.</summary>
public enum SearchOperator
{
    /// <summary>One is.</summary>
    Or,

    /// <summary>All are needed.</summary>
    And,
}
