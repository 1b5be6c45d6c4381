namespace Raven.Client.Documents.Indexes;

/// <summary>An index whose maps are JavaScript: <c>map('Orders', o => ({ Company: o.CompanyId }))</c>. Set the
/// properties in the constructor.</summary>
public abstract class AbstractJavaScriptIndexCreationTask : AbstractIndexCreationTask
{
    /// <summary>The maps: what entries the index makes of each document.</summary>
    protected HashSet<string> Maps { get; set; } = [];

    /// <summary>
    /// The reduce: how entries of the same key become one, <c>groupBy(...).aggregate(...)</c>; null for none.
    /// </summary>
    protected string? Reduce { get; set; }

    /// <summary>How each field is indexed.</summary>
    protected Dictionary<string, IndexFieldOptions> Fields { get; set; } = [];

    /// <summary>The collection that the results of the reduce are written to; null for none.</summary>
    protected string? OutputReduceToCollection { get; set; }

    /// <inheritdoc/>
    public override IndexDefinition CreateIndexDefinition()
    {
        IndexDefinition definition = NewDefinition();
        definition.Maps.UnionWith(Maps);
        definition.Reduce = Reduce;
        definition.OutputReduceToCollection = OutputReduceToCollection;
        foreach ((string name, IndexFieldOptions options) in Fields)
        {
            definition.Fields.Add(name, options);
        }

        return definition;
    }
}
