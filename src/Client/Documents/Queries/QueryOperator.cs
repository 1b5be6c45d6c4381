namespace Raven.Client.Documents.Queries;

/// <summary>What joins conditions between which nothing is said.</summary>
public enum QueryOperator
{
    /// <summary>All have to be true.</summary>
    And,

    /// <summary>One is enough.</summary>
    Or,
}
