using System.Linq.Expressions;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Indexes;

/// <summary>The base of indexes written in C#: options of fields, and the functions that their maps can call.</summary>
/// <typeparam name="TReduceResult">The type of an entry of the index, for the names of its fields.</typeparam>
public abstract class AbstractGenericIndexCreationTask<TReduceResult> : AbstractIndexCreationTask
{
    private readonly List<FieldOption> _fields = [];

    /// <summary>The reduce: how entries of the same key become one; null for an index without a reduce.</summary>
    protected Expression<Func<IEnumerable<TReduceResult>, System.Collections.IEnumerable>>? Reduce { get; set; }

    /// <summary>The collection that the results of the reduce are written to; null for none.</summary>
    protected string? OutputReduceToCollection { get; set; }

    /// <summary>
    /// How documents that refer to those results are named, such as <c>x => $"daily/{x.Day}"</c>; null for none.
    /// </summary>
    protected string? PatternForOutputReduceToCollectionReferences { get; set; }

    /// <summary>The collection of the documents that refer to those results.</summary>
    protected string? PatternReferencesCollectionName { get; set; }

    /// <inheritdoc/>
    public override IndexDefinition CreateIndexDefinition()
    {
        DocumentConventions conventions = Conventions ?? new DocumentConventions();
        IndexDefinition definition = NewDefinition();
        foreach (string map in WriteMaps(conventions))
        {
            definition.Maps.Add(map);
        }

        if (definition.Maps.Count == 0)
        {
            throw new InvalidOperationException($"The index {GetType().Name} has no map: set it in the constructor.");
        }

        definition.Reduce = Reduce is null ? null : IndexCode.OfReduce(Reduce, conventions);
        definition.OutputReduceToCollection = OutputReduceToCollection;
        definition.PatternForOutputReduceToCollectionReferences = PatternForOutputReduceToCollectionReferences;
        definition.PatternReferencesCollectionName = PatternReferencesCollectionName;
        foreach (FieldOption option in _fields)
        {
            string name = option.Path is null ? option.Name! : conventions.Serializer.PathOf(option.Path);
            if (!definition.Fields.TryGetValue(name, out IndexFieldOptions? options))
            {
                definition.Fields.Add(name, options = new IndexFieldOptions());
            }

            option.Set(options);
        }

        return definition;
    }

    /// <summary>Sets how a field is indexed: as words, as one term, or not at all.</summary>
    protected void Index(Expression<Func<TReduceResult, object?>> field, FieldIndexing indexing) =>
        Add(field, options => options.Indexing = indexing);

    /// <summary>Sets how a field is indexed: as words, as one term, or not at all.</summary>
    protected void Index(string field, FieldIndexing indexing) =>
        Add(field, options => options.Indexing = indexing);

    /// <summary>Sets whether the values of a field are stored in the index.</summary>
    protected void Store(Expression<Func<TReduceResult, object?>> field, FieldStorage storage) =>
        Add(field, options => options.Storage = storage);

    /// <summary>Sets whether the values of a field are stored in the index.</summary>
    protected void Store(string field, FieldStorage storage) =>
        Add(field, options => options.Storage = storage);

    /// <summary>Sets whether the values of all fields are stored in the index.</summary>
    protected void StoreAllFields(FieldStorage storage) => Store(IndexDefinition.AllFields, storage);

    /// <summary>Sets which analyzer cuts a field into terms.</summary>
    protected void Analyze(Expression<Func<TReduceResult, object?>> field, string analyzer) =>
        Add(field, options => options.Analyzer = analyzer);

    /// <summary>Sets which analyzer cuts a field into terms.</summary>
    protected void Analyze(string field, string analyzer) =>
        Add(field, options => options.Analyzer = analyzer);

    /// <summary>Allows suggestions for a field.</summary>
    protected void Suggestion(Expression<Func<TReduceResult, object?>> field) =>
        Add(field, options => options.Suggestions = true);

    /// <summary>Sets what is stored of the terms of a field.</summary>
    protected void TermVector(Expression<Func<TReduceResult, object?>> field, FieldTermVector termVector) =>
        Add(field, options => options.TermVector = termVector);

    /// <summary>Sets how a spatial field is indexed.</summary>
    protected void Spatial(Expression<Func<TReduceResult, object?>> field, SpatialOptions options) =>
        Add(field, known => known.Spatial = options);

    /// <summary>Sets how a spatial field is indexed.</summary>
    protected void Spatial(string field, SpatialOptions options) =>
        Add(field, known => known.Spatial = options);

    /// <summary>Sets the form of the vectors of a field, in documents and in the index.</summary>
    protected void Vector(Expression<Func<TReduceResult, object?>> field, VectorOptions options) =>
        Add(field, known => known.Vector = options);

    /// <summary>Sets the form of the vectors of a field, in documents and in the index.</summary>
    protected void Vector(string field, VectorOptions options) =>
        Add(field, known => known.Vector = options);

    /// <summary>In a map: a document that this one refers to. When it changes, this one is mapped again.</summary>
    protected static T? LoadDocument<T>(string? id) => throw OnlyInMaps();

    /// <summary>In a map: documents that this one refers to. When they change, this one is mapped again.</summary>
    protected static T?[] LoadDocument<T>(IEnumerable<string>? ids) => throw OnlyInMaps();

    /// <summary>In a map: a compare-exchange value. When it changes, the document is mapped again.</summary>
    protected static T? LoadCompareExchangeValue<T>(string? key) => throw OnlyInMaps();

    /// <summary>In a map: compare-exchange values. When they change, the document is mapped again.</summary>
    protected static T?[] LoadCompareExchangeValue<T>(IEnumerable<string>? keys) => throw OnlyInMaps();

    /// <summary>In a map: a field whose name is computed.</summary>
    protected static object CreateField(string name, object? value) => throw OnlyInMaps();

    /// <summary>In a map: a field whose name is computed, and how it is indexed.</summary>
    protected static object CreateField(string name, object? value, bool stored, bool analyzed) => throw OnlyInMaps();

    /// <summary>In a map: a point.</summary>
    protected static object CreateSpatialField(double? latitude, double? longitude) => throw OnlyInMaps();

    /// <summary>In a map: a shape, as well-known text.</summary>
    protected static object CreateSpatialField(string? shapeWkt) => throw OnlyInMaps();

    /// <summary>In a map: a vector, as a list of numbers or in base64, or a list of these.</summary>
    protected static object CreateVector(object? vectors) => throw OnlyInMaps();

    /// <summary>In a map: a value, what it refers to, what that refers to, and so on.</summary>
    protected static IEnumerable<T> Recurse<T>(T source, Func<T, IEnumerable<T>?> next) => throw OnlyInMaps();

    /// <summary>In a map: the metadata of a document.</summary>
    protected static IMetadataDictionary MetadataFor(object? document) => throw OnlyInMaps();

    /// <summary>In a map: a document whose properties are read by name.</summary>
    protected static IDictionary<string, object?> AsJson(object? document) => throw OnlyInMaps();

    private protected abstract IEnumerable<string> WriteMaps(DocumentConventions conventions);

    private static InvalidOperationException OnlyInMaps() =>
        new("This is for the maps of an index, which the server runs.");

    private void Add(string field, Action<IndexFieldOptions> set)
    {
        ArgumentException.ThrowIfNullOrEmpty(field);
        _fields.Add(new FieldOption(field, null, set));
    }

    /// <summary>
    /// Adds an option of a field. The name of the field is computed later, when the conventions are known.
    /// </summary>
    private void Add(LambdaExpression field, Action<IndexFieldOptions> set)
    {
        ArgumentNullException.ThrowIfNull(field);
        _fields.Add(new FieldOption(null, field, set));
    }

    /// <summary>One option that was set for a field, by name or by path.</summary>
    private sealed record FieldOption(string? Name, LambdaExpression? Path, Action<IndexFieldOptions> Set);
}
