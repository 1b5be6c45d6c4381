using System.Linq.Expressions;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Indexes;

/// <summary>The text of maps and reduces that are written as lambdas.</summary>
internal static class IndexCode
{
    /// <summary>The text of a map over a collection.</summary>
    /// <exception cref="NotSupportedException">A part cannot be written as C#; the message names it.</exception>
    internal static string OfMap(LambdaExpression map, string collection, DocumentConventions conventions)
    {
        bool isName = collection.Length > 0 && !char.IsAsciiDigit(collection[0])
            && collection.All(c => char.IsAsciiLetterOrDigit(c) || c == '_');
        string source = isName ? $"docs.{collection}" : $"docs[{CodeText.Literal(collection)}]";
        var documents = new DocumentTypes(map.Parameters[0].Type.GetGenericArguments()[0]);
        documents.Visit(map.Body);
        return new CodePrinter(conventions, documents.Types, new() { [map.Parameters[0]] = source }).Print(map.Body);
    }

    /// <summary>The text of a reduce.</summary>
    /// <exception cref="NotSupportedException">A part cannot be written as C#; the message names it.</exception>
    internal static string OfReduce(LambdaExpression reduce, DocumentConventions conventions) =>
        new CodePrinter(conventions, [], new() { [reduce.Parameters[0]] = "results" }).Print(reduce.Body);

    /// <summary>
    /// Finds which types are documents in a map: that of the map, and those that it loads. Ids of other types are
    /// properties like any other.
    /// </summary>
    private sealed class DocumentTypes(Type source) : ExpressionVisitor
    {
        internal HashSet<Type> Types { get; } = [source];

        protected override Expression VisitMethodCall(MethodCallExpression node)
        {
            if (CodePrinter.IsOfIndex(node.Method) && node.Method is { Name: "LoadDocument" } load)
            {
                Types.Add(load.GetGenericArguments()[0]);
            }

            return base.VisitMethodCall(node);
        }
    }
}
