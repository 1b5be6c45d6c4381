namespace Raven.Client.Documents.Queries;

/// <summary>How values are compared.</summary>
public enum OrderingType
{
    /// <summary>As texts.</summary>
    String,

    /// <summary>As whole numbers.</summary>
    Long,

    /// <summary>As numbers.</summary>
    Double,

    /// <summary>As texts whose runs of digits are numbers.</summary>
    AlphaNumeric,
}
