using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// Options of a query that LINQ has no calls for, as marks in its expression: so a query that is made from another one
/// leaves that one unchanged.
/// </summary>
internal static class QueryAnnotations
{
    private static readonly MethodInfo Method = typeof(QueryAnnotations)
        .GetMethod(nameof(Mark), BindingFlags.NonPublic | BindingFlags.Static)!;

    /// <summary>The query with a mark that is applied when it is translated.</summary>
    internal static IRavenQueryable<T> Add<T>(IQueryable<T> source, Action<QueryTranslator> apply) =>
        Add<T>((IQueryable)source, apply);

    /// <summary>The query with a mark, whose results are read as a type.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2060:MakeGenericMethod",
        Justification = "The method asks nothing of its types.")]
    internal static IRavenQueryable<TResult> Add<TResult>(IQueryable source, Action<QueryTranslator> apply)
    {
        RavenQueryProvider provider = ProviderOf(source);
        return new RavenQueryable<TResult>(provider, Expression.Call(
            Method.MakeGenericMethod(source.ElementType, typeof(TResult)), source.Expression,
            Expression.Constant(apply)));
    }

    /// <summary>What a call applies; null if it is no mark.</summary>
    internal static Action<QueryTranslator>? Of(MethodCallExpression call) =>
        call.Method.IsGenericMethod && call.Method.GetGenericMethodDefinition() == Method
            ? (Action<QueryTranslator>)((ConstantExpression)call.Arguments[1]).Value!
            : null;

    internal static RavenQueryProvider ProviderOf(IQueryable source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return source.Provider as RavenQueryProvider ?? throw new NotSupportedException(
            "This is no query of a session: it can be enumerated without being awaited.");
    }

    private static IQueryable<TResult> Mark<T, TResult>(IQueryable<T> source, Action<QueryTranslator> apply) =>
        throw new InvalidOperationException($"{source} and {apply} are translated, not called.");
}
