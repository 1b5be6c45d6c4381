namespace Raven.Client.Documents.Queries;

/// <summary>The place of documents without a value in an order.</summary>
public enum NullOrdering
{
    /// <summary>Like the smallest value: first in ascending order, last in descending order.</summary>
    Default,

    /// <summary>First in any order.</summary>
    First,

    /// <summary>Last in any order.</summary>
    Last,
}
