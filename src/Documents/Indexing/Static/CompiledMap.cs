using System.Globalization;
using System.Text;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Static.Values;

namespace Raven.Documents.Indexing.Static;

/// <summary>The base of the class that the text of a map is compiled to. One thread at a time.</summary>
public abstract class CompiledMap
{
    private static readonly DynamicMember Metadata = new("@metadata");
    private DocumentSnapshot? _snapshot;
    private MapSink? _sink;

    /// <summary>The collections that it reads; none for all documents.</summary>
    public abstract string[] Collections { get; }

    /// <summary>The fields of its entries, if all entries have the same.</summary>
    public abstract string[] Fields { get; }

    /// <summary>Whether it runs over counters instead of documents.</summary>
    public virtual bool IsOfCounters => false;

    /// <summary>Whether it runs over segments of time series instead of documents.</summary>
    public virtual bool IsOfTimeSeries => false;

    /// <summary>The name of the counters or time series that it runs over, in any case; null for all of them.</summary>
    public virtual string? Counter => null;

    /// <summary>Always true. The compiler must not know it, so that it does not warn about unreachable code.</summary>
    protected static bool Always => true;

    /// <summary>Runs over a document.</summary>
    /// <param name="input">The document.</param>
    /// <param name="output">Takes the entries.</param>
    public abstract void Run(DynamicValue input, MapOutput output);

    internal void Begin(DocumentSnapshot snapshot, MapSink sink)
    {
        _snapshot = snapshot;
        _sink = sink;
    }

    internal void End()
    {
        _snapshot = null;
        _sink = null;
    }

    /// <summary>A document by its id, or documents by theirs; null if there is none.</summary>
    protected DynamicValue LoadDocument(DynamicValue id, DynamicValue collection = default)
    {
        if (id.IsSequence)
        {
            return DynamicValue.List([.. id.AsValues().Select(one => LoadDocument(one, collection))]);
        }

        string? text = id.ToText();
        if (string.IsNullOrEmpty(text) || _snapshot is null || _sink is null)
        {
            return DynamicValue.Null;
        }

        byte[] utf8 = Encoding.UTF8.GetBytes(text);
        _sink.AddReference(utf8, collection.ToText() ?? string.Empty);
        return _snapshot.TryGet(utf8, out StoredDocument found)
            ? new MappedDocument().Open(in found)
            : DynamicValue.Null;
    }

    /// <summary>A compare-exchange value by its key, or values by theirs; null if there is none.</summary>
    protected DynamicValue LoadCompareExchangeValue(DynamicValue key)
    {
        if (key.IsSequence)
        {
            return DynamicValue.List([.. key.AsValues().Select(LoadCompareExchangeValue)]);
        }

        return key.ToText() is { Length: > 0 } text && _snapshot is not null && _sink is not null
            && LinkedValues.TryReadValue(_snapshot, _sink, text, out BlittableValue value)
            ? DynamicValue.Of(value)
            : DynamicValue.Null;
    }

    /// <summary>The id of a document.</summary>
    protected static DynamicValue Id(DynamicValue document) =>
        document.Document is { } known ? DynamicValue.Of(known.Id) : DynamicValue.Null;

    /// <summary>The metadata of a document, with what the server stores about it.</summary>
    protected static DynamicValue MetadataFor(DynamicValue document)
    {
        DynamicValue stored = document.Get(Metadata);
        if (document.Document is not { } known)
        {
            return stored;
        }

        List<string> names = ["@id", "@change-vector", "@last-modified"];
        DateTime time = new(known.LastModifiedTicks, DateTimeKind.Utc);
        List<DynamicValue> values =
        [
            DynamicValue.Of(known.Id), DynamicValue.Of(known.ChangeVector),
            DynamicValue.Of(time.ToString("yyyy-MM-ddTHH:mm:ss.fffffffZ", CultureInfo.InvariantCulture)),
        ];
        if (stored.Kind == DynamicKind.StoredObject)
        {
            BlittableObject source = stored.Stored.AsObject();
            for (int i = 0; i < source.Count; i++)
            {
                BlittableProperty property = source.GetProperty(i);
                names.Add(property.GetName());
                values.Add(DynamicValue.Of(property.Value));
            }
        }

        return DynamicValue.Of(new DynamicRecord([.. names], [.. values]));
    }

    /// <summary>The attachments of a document.</summary>
    protected static DynamicValue AttachmentsFor(DynamicValue document) => document.Document is { } known
        ? DynamicValue.List([.. LinkedValues.Attachments(known.Stored).Select(info => Of(known, info))])
        : DynamicValue.List();

    /// <summary>The attachments of a document.</summary>
    protected static DynamicValue LoadAttachments(DynamicValue document) => AttachmentsFor(document);

    /// <summary>One attachment of a document; null if there is none with the name.</summary>
    protected static DynamicValue LoadAttachment(DynamicValue document, DynamicValue name) =>
        document.Document is { } known && name.ToText() is { } text
            && LinkedValues.Attachment(known.Stored, text) is { } info
            ? Of(known, info)
            : DynamicValue.Null;

    /// <summary>The names of a document's counters.</summary>
    protected static DynamicValue CounterNamesFor(DynamicValue document) => document.Document is { } known
        ? DynamicValue.List([.. LinkedValues.CounterNames(known.Stored).Select(DynamicValue.Of)])
        : DynamicValue.List();

    /// <summary>A document whose properties can be enumerated.</summary>
    protected static DynamicValue AsJson(DynamicValue document) => document;

    /// <summary>The day of a time.</summary>
    protected static DynamicValue AsDateOnly(DynamicValue time) => DynamicMembers.Get(time, "Date");

    /// <summary>A value for a field whose name the map gives.</summary>
    protected static DynamicValue CreateField(DynamicValue name, DynamicValue value) =>
        DynamicValue.Of(new DynamicField(NameOf(name), value, null, null));

    /// <summary>
    /// A value for a field whose name the map gives, with <c>new CreateFieldOptions { Storage, Indexing }</c>.
    /// </summary>
    protected static DynamicValue CreateField(DynamicValue name, DynamicValue value, DynamicValue options) =>
        options.Kind == DynamicKind.Boolean
            ? CreateField(name, value, options, default)
            : DynamicValue.Of(new DynamicField(
                NameOf(name), value, Says(options, "Storage", "Yes"),
                DynamicMembers.Get(options, "Indexing").ToText()));

    /// <summary>
    /// A value for a field whose name the map gives, with options: whether the value is stored, and whether its
    /// words are searched.
    /// </summary>
    protected static DynamicValue CreateField(
        DynamicValue name, DynamicValue value, DynamicValue isStored, DynamicValue isAnalyzed) =>
        DynamicValue.Of(new DynamicField(
            NameOf(name), value, isStored.IsNull ? null : isStored.IsTrue,
            DynamicField.IndexingOf(isAnalyzed.IsNull ? null : isAnalyzed.IsTrue)));

    /// <summary>A point, in degrees; missing without one of the two.</summary>
    protected static DynamicValue CreateSpatialField(DynamicValue latitude, DynamicValue longitude) =>
        latitude.IsNull || longitude.IsNull
            ? DynamicValue.Missing
            : DynamicValue.Of(new DynamicShape(
                DynamicNumbers.ToReal(latitude), DynamicNumbers.ToReal(longitude), null));

    /// <summary>A point in a field whose name the map gives.</summary>
    protected static DynamicValue CreateSpatialField(
        DynamicValue name, DynamicValue latitude, DynamicValue longitude) =>
        CreateField(name, CreateSpatialField(latitude, longitude));

    /// <summary>A shape in well-known text; missing without one.</summary>
    protected static DynamicValue CreateSpatialField(DynamicValue wellKnownText) =>
        wellKnownText.IsSequence
            ? DynamicValue.Of(wellKnownText.AsValues().Select(one => CreateSpatialField(one)))
            : string.IsNullOrEmpty(wellKnownText.ToText())
            ? DynamicValue.Missing
            : DynamicValue.Of(new DynamicShape(0, 0, wellKnownText.ToText()));

    /// <summary>A vector of numbers, as a list or in base64, or several of them; missing without one.</summary>
    protected static DynamicValue CreateVector(DynamicValue vectors) =>
        vectors.IsNull ? DynamicValue.Missing : DynamicValue.Of(new DynamicVector(vectors));

    private static DynamicValue Of(MappedDocument document, AttachmentInfo info) =>
        DynamicValue.Of(new AttachmentRecord(document.Stored, info));

    private static string NameOf(DynamicValue name) => name.ToText() is { Length: > 0 } text
        ? text
        : throw new InvalidOperationException("A field that a map creates needs a name.");

    private static bool? Says(DynamicValue options, string property, string value) =>
        DynamicMembers.Get(options, property) is { IsNull: false } found
            ? found.Kind == DynamicKind.Boolean ? found.IsTrue : found.ToText() == value
            : null;
}
