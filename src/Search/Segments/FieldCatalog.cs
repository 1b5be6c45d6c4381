using System.Buffers.Binary;
using System.Text;
using Raven.Search.Analysis;
using Raven.Search.Buffers;
using Raven.Search.Fields;

namespace Raven.Search.Segments;

/// <summary>
/// The fields of an index by number and name. Immutable: a new field makes a new catalog, so that readers keep theirs.
/// </summary>
internal sealed class FieldCatalog
{
    private readonly IndexField[] _fields;
    private readonly Dictionary<string, IndexField> _byName;
    private readonly bool _cutsTexts;

    private FieldCatalog(IndexField[] fields, bool cutsTexts)
    {
        _fields = fields;
        _cutsTexts = cutsTexts;
        _byName = fields.ToDictionary(field => field.Name, StringComparer.Ordinal);
    }

    internal static FieldCatalog New { get; } =
        new(
            [
                new IndexField(IndexNames.IdField, "id()", FieldKind.Exact, Analyzers.Keyword)
                {
                    KeepsWholeTexts = false,
                },
            ],
            cutsTexts: false);

    internal IReadOnlyList<IndexField> Fields => _fields;

    /// <summary>
    /// The format version for its content. An index that was begun with cut texts keeps cutting them.
    /// </summary>
    internal int FormatVersion => !_cutsTexts ? IndexNames.FormatVersion
        : HasVectors ? IndexNames.FormatVersionOfCutTexts : IndexNames.FormatVersionWithoutVectors;

    /// <summary>Whether long texts are cut, as in the versions before this one.</summary>
    internal bool CutsTexts => _cutsTexts;

    internal bool HasVectors => Array.Exists(_fields, one => one.Kind == FieldKind.Vector);

    internal IndexField? Find(string name) => _byName.GetValueOrDefault(name);

    /// <summary>A catalog with one more field of vectors.</summary>
    internal FieldCatalog With(string name, VectorFormat format, int dimensions) => With(
        new IndexField(_fields.Length, name, FieldKind.Vector, Analyzers.Keyword, format, dimensions));

    /// <summary>A catalog in which the dimensions of a field's vectors are set; 0 if no vector is left.</summary>
    internal FieldCatalog WithDimensions(IndexField field, int dimensions)
    {
        IndexField[] fields = [.. _fields];
        fields[field.Number] = new IndexField(
            field.Number, field.Name, field.Kind, field.Analyzer, field.VectorFormat, dimensions);
        return new FieldCatalog(fields, _cutsTexts);
    }

    internal FieldCatalog With(string name, FieldKind kind, Analyzer analyzer) =>
        With(new IndexField(_fields.Length, name, kind, analyzer) { KeepsWholeTexts = !_cutsTexts });

    private FieldCatalog With(IndexField field)
    {
        if (_fields.Length == IndexNames.FieldsMax)
        {
            throw new InvalidOperationException($"The index has {IndexNames.FieldsMax} fields, the most there can be.");
        }

        return new FieldCatalog([.. _fields, field], _cutsTexts);
    }

    internal byte[] ToBytes()
    {
        ByteBuffer bytes = new();
        bytes.AddUInt32((uint)_fields.Length);
        foreach (IndexField field in _fields)
        {
            bytes.AddByte((byte)field.Kind);
            AddText(bytes, field.Name);
            AddText(bytes, field.Analyzer.StoredName);
            if (field.Kind == FieldKind.Vector)
            {
                bytes.AddByte((byte)field.VectorFormat);
                bytes.AddVariable((uint)field.Dimensions);
            }
        }

        return bytes.Span.ToArray();
    }

    /// <exception cref="SearchIndexException">It names an analyzer that does not exist.</exception>
    internal static FieldCatalog Read(ReadOnlySpan<byte> bytes, Func<string, Analyzer?> analyzers, int version)
    {
        bool cutsTexts = version <= IndexNames.FormatVersionOfCutTexts;
        var fields = new IndexField[BinaryPrimitives.ReadInt32LittleEndian(bytes)];
        int at = 4;
        for (int number = 0; number < fields.Length; number++)
        {
            var kind = (FieldKind)bytes[at++];
            string name = ReadText(bytes, ref at);
            string analyzer = ReadText(bytes, ref at);
            bool isVector = kind == FieldKind.Vector;
            fields[number] = new IndexField(
                number,
                name,
                kind,
                Analyzers.FindStored(analyzer, isOfClassicWords: !cutsTexts) ?? analyzers(analyzer)
                    ?? throw new SearchIndexException(
                    $"The field '{name}' was written with the analyzer '{analyzer}', which is not there."),
                isVector ? (VectorFormat)bytes[at++] : VectorFormat.None,
                isVector ? (int)ByteBuffer.ReadVariable(bytes, ref at) : 0)
            {
                KeepsWholeTexts = !cutsTexts && number != IndexNames.IdField,
            };
        }

        return new FieldCatalog(fields, cutsTexts);
    }

    private static void AddText(ByteBuffer bytes, string text)
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(text);
        bytes.AddVariable((uint)utf8.Length);
        bytes.Add(utf8);
    }

    private static string ReadText(ReadOnlySpan<byte> bytes, ref int at)
    {
        int length = (int)ByteBuffer.ReadVariable(bytes, ref at);
        at += length;
        return Encoding.UTF8.GetString(bytes.Slice(at - length, length));
    }
}
