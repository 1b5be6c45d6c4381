namespace Raven.Client.Documents.Queries;

/// <summary>Joins conditions without an explicit operator.</summary>
public enum QueryOperator
{
    /// <summary>All have to be true.</summary>
    And,

    /// <summary>One is enough.</summary>
    Or,
}
