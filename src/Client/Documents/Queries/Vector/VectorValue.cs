namespace Raven.Client.Documents.Queries.Vector;

/// <summary>The value that vectors are compared with; made by <see cref="VectorValueFactory"/>.</summary>
public sealed class VectorValue
{
    private readonly object _value;
    private readonly bool _isDocument;

    internal VectorValue(object value, bool isDocument = false)
    {
        _value = value;
        _isDocument = isDocument;
    }

    internal string ToRql(RqlBuilder rql) =>
        _isDocument ? $"embedding.forDoc({rql.Parameter(_value)})" : rql.Parameter(_value);
}
