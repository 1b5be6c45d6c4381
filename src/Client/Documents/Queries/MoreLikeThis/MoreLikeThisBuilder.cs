using System.Linq.Expressions;
using Raven.Client.Documents.Linq;

namespace Raven.Client.Documents.Queries.MoreLikeThis;

/// <summary>See <see cref="IMoreLikeThisBuilder{T}"/>. Makes a condition.</summary>
internal sealed class MoreLikeThisBuilder<T>(FieldTranslator fields) : IMoreLikeThisBuilder<T>, IMoreLikeThisOperations
{
    private string? _document;
    private string? _options;

    public IMoreLikeThisOperations UsingDocument(Expression<Func<T, bool>> predicate)
    {
        ArgumentNullException.ThrowIfNull(predicate);
        _document = new ConditionTranslator(fields).Translate(predicate.Body);
        return this;
    }

    public IMoreLikeThisOperations UsingDocument(string documentJson)
    {
        ArgumentException.ThrowIfNullOrEmpty(documentJson);
        _document = fields.Parameter(documentJson);
        return this;
    }

    public IMoreLikeThisOperations WithOptions(MoreLikeThisOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = fields.Parameter(options);
        return this;
    }

    internal string ToCondition() => _document is null
        ? throw new InvalidOperationException("Say which document others are to be like: UsingDocument.")
        : $"moreLikeThis({_document}{(_options is null ? "" : ", " + _options)})";
}
