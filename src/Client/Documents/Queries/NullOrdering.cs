namespace Raven.Client.Documents.Queries;

/// <summary>The place of documents without a value in an order.</summary>
public enum NullOrdering
{
    /// <summary>As the smallest of all values.</summary>
    Default,

    /// <summary>Before all others.</summary>
    First,

    /// <summary>Behind all others.</summary>
    Last,
}
