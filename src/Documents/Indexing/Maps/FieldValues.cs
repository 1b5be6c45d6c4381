using System.Buffers;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Search;
using Raven.Search.Fields;

namespace Raven.Documents.Indexing.Maps;

/// <summary>
/// One value of a field: what is searched, and what is stored. Each kind is a struct, and code that takes all kinds is
/// generic over them: so its calls are direct.
/// </summary>
internal interface IFieldValue
{
    /// <summary>Adds what is searched.</summary>
    void AddTo(IndexBatch batch, IndexField field);

    /// <summary>Writes what is stored.</summary>
    void WriteTo(ref JsonOutput json);
}

internal readonly struct IntegerFieldValue(long value) : IFieldValue
{
    public void AddTo(IndexBatch batch, IndexField field) => batch.Add(field, value);

    public void WriteTo(ref JsonOutput json) => json.Number(value);
}

internal readonly struct DoubleFieldValue(double value) : IFieldValue
{
    public void AddTo(IndexBatch batch, IndexField field) => batch.Add(field, value);

    public void WriteTo(ref JsonOutput json) => json.Number(value);
}

internal readonly struct BooleanFieldValue(bool value) : IFieldValue
{
    public void AddTo(IndexBatch batch, IndexField field) => batch.Add(field, value);

    public void WriteTo(ref JsonOutput json) => json.Boolean(value);
}

internal readonly struct NullFieldValue : IFieldValue
{
    public void AddTo(IndexBatch batch, IndexField field) => batch.AddNull(field);

    public void WriteTo(ref JsonOutput json) => json.Null();
}

internal readonly ref struct TextFieldValue(ReadOnlySpan<byte> text) : IFieldValue
{
    private readonly ReadOnlySpan<byte> _text = text;

    public void AddTo(IndexBatch batch, IndexField field) => batch.Add(field, _text);

    public void WriteTo(ref JsonOutput json) => json.String(_text);
}

/// <summary>A number with more digits than a double has: all of them are stored.</summary>
internal readonly struct LongNumberFieldValue(double nearest, BlittableValue stored) : IFieldValue
{
    public void AddTo(IndexBatch batch, IndexField field) => batch.Add(field, nearest);

    public void WriteTo(ref JsonOutput json) => json.Value(stored);
}

/// <summary>A whole number beyond 64 bits.</summary>
internal readonly struct LargeIntegerFieldValue(Int128 value, BlittableValue stored) : IFieldValue
{
    public void AddTo(IndexBatch batch, IndexField field) => batch.Add(field, value);

    public void WriteTo(ref JsonOutput json) => json.Value(stored);
}

/// <summary>A number beyond the largest double, such as 1e400: a text in the index, by which it is found.</summary>
internal readonly struct BeyondDoubleFieldValue(BlittableValue stored) : IFieldValue
{
    public void AddTo(IndexBatch batch, IndexField field) =>
        batch.Add(field, DoubleOverflow.TextOf(stored, stackalloc byte[DoubleOverflow.RoomBytes]));

    public void WriteTo(ref JsonOutput json) => json.Value(stored);
}

/// <summary>An object: its JSON with plain numbers is searched.</summary>
internal readonly struct ObjectFieldValue(BlittableValue stored, ArrayBufferWriter<byte> text) : IFieldValue
{
    public void AddTo(IndexBatch batch, IndexField field) => batch.Add(field, CanonicalNumbers.Of(text));

    public void WriteTo(ref JsonOutput json) => json.Value(stored);
}
