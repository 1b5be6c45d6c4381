namespace Raven.Client.Documents.Queries;

/// <summary>The operator between conditions if none is given.</summary>
public enum QueryOperator
{
    /// <summary>All conditions must be met.</summary>
    And,

    /// <summary>One condition is enough.</summary>
    Or,
}
