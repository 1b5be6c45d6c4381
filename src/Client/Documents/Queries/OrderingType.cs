namespace Raven.Client.Documents.Queries;

/// <summary>As what values are ordered.</summary>
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
