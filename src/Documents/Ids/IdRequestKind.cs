namespace Raven.Documents.Ids;

/// <summary>What a text in the place of an id asks for.</summary>
internal enum IdRequestKind
{
    /// <summary>This very id.</summary>
    Exact,

    /// <summary>Empty: a guid.</summary>
    Guid,

    /// <summary>It ends with '/': the next number of the database after it, and the node's tag.</summary>
    Sequence,

    /// <summary>It ends with '|': the next value of the identity of that name.</summary>
    Identity,
}
