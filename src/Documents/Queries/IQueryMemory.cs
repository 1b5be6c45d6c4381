using Raven.Blittable.Contexts;

namespace Raven.Documents.Queries;

/// <summary>The memory that a query was read into, which goes back while the query waits (QRY-1).</summary>
public interface IQueryMemory
{
    /// <summary>The memory; borrowed anew if it was given back.</summary>
    OperationContext Operation { get; }

    /// <summary>Gives the memory back: nothing that lies in it may be used any more.</summary>
    void ReturnOperation();
}
