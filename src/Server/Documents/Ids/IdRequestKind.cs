namespace Raven.Server.Documents.Ids;

/// <summary>What the text where an id belongs asks for.</summary>
public enum IdRequestKind
{
    /// <summary>This very id.</summary>
    Exact,

    /// <summary>Nothing given: a guid.</summary>
    Guid,

    /// <summary>It ends with '/': the next number of the database behind it, and the node's tag.</summary>
    Sequence,

    /// <summary>It ends with '|': the next value of the identity of that name.</summary>
    Identity,
}
