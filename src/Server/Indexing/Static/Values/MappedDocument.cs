using System.Text;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace Raven.Server.Indexing.Static.Values;

/// <summary>What a map may ask of a document besides its content. One is filled again and again.</summary>
public sealed class MappedDocument
{
    private NativeSlice _id;
    private NativeSlice _changeVector;
    private string? _idText;

    /// <summary>When it was last written, UTC, in 100 ns; 0 where that is not known.</summary>
    public long LastModifiedTicks { get; private set; }

    /// <summary>The id.</summary>
    public string Id => _idText ??= Encoding.UTF8.GetString(_id.Span);

    /// <summary>The change vector.</summary>
    public string ChangeVector => Encoding.UTF8.GetString(_changeVector.Span);

    /// <summary>The id, UTF-8.</summary>
    internal NativeSlice IdBytes => _id;

    /// <summary>Takes a document.</summary>
    /// <param name="id">Its id, UTF-8.</param>
    /// <param name="changeVector">Its change vector, UTF-8.</param>
    /// <param name="lastModifiedTicks">When it was last written.</param>
    /// <param name="data">Its content.</param>
    /// <returns>The document as a map sees it, valid as long as all of these and until the next call.</returns>
    internal DynamicValue Open(NativeSlice id, NativeSlice changeVector, long lastModifiedTicks, BlittableObject data)
    {
        _id = id;
        _idText = null;
        _changeVector = changeVector;
        LastModifiedTicks = lastModifiedTicks;
        return DynamicValue.Of(data, this);
    }
}
