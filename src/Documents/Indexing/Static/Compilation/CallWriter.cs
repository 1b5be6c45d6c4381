using Microsoft.CodeAnalysis.CSharp.Syntax;
using Raven.Documents.Indexing.Definitions;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>
/// Writes the code of calls: functions of indexes, static methods of .NET that maps may call, methods of values.
/// </summary>
internal sealed class CallWriter(ExpressionWriter expressions, FunctionWriter functions)
{
    private readonly ExpressionWriter _expressions = expressions;
    private readonly FunctionWriter _functions = functions;

    /// <summary>Writes the code of a call.</summary>
    /// <param name="call">The call.</param>
    /// <param name="scope">The variables in scope.</param>
    /// <param name="target">Code of the value before <c>?.</c>, for a call after it.</param>
    internal string Write(InvocationExpressionSyntax call, Scope scope, string? target)
    {
        CallArguments arguments = new(call.ArgumentList);
        switch (call.Expression)
        {
            case SimpleNameSyntax name:
                return OfIndex(call, name.Identifier.Text, arguments, scope);
            case MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax } own:
                return OfIndex(call, own.Name.Identifier.Text, arguments, scope);
            case MemberAccessExpressionSyntax member:
                return OfMember(call, member, arguments, scope);
            case MemberBindingExpressionSyntax binding when target is not null:
                return OfValue(call, target, binding.Name.Identifier.Text, arguments.All, scope);
            default:
                throw MapSyntaxException.At(call, $"'{ExpressionWriter.Shorten(call)}' cannot be called.");
        }
    }

    private string OfMember(
        InvocationExpressionSyntax call, MemberAccessExpressionSyntax member, CallArguments arguments,
        Scope scope)
    {
        string name = member.Name.Identifier.Text;
        if (ExpressionWriter.NameOf(member.Expression) is not { } typeName
            || scope.Find(ExpressionWriter.RootOf(typeName)) is not null)
        {
            return OfValue(call, _expressions.Value(member.Expression, scope), name, arguments.All, scope);
        }

        if (AllowedMethods.TypeOf(typeName) is not { } type)
        {
            return _expressions.Parts.HasSources
                ? Foreign(call, arguments, scope)
                : throw MapSyntaxException.At(
                    member.Expression, $"The name '{ExpressionWriter.Shorten(member.Expression)}' is not known here.");
        }

        if (AllowedMethods.StaticOf(type, name) is { } known)
        {
            List<ExpressionSyntax> told = [.. arguments.All.Where(argument =>
                ExpressionWriter.NameOf(argument) is not { } said || !AllowedMethods.IsInvariant(said))];
            return AllowedMethods.AllowsStatic(known, told.Count)
                ? $"{CodeParts.Mark(call)}{known}({Values(told, scope)})"
                : throw MapSyntaxException.At(call, $"'{typeName}.{name}' cannot be called with these arguments.");
        }

        if (type == "Enumerable" && arguments.Count > 0)
        {
            // Enumerable.Sum(items, function) is items.Sum(function).
            return OfValue(call, _expressions.Value(arguments[0], scope), name, arguments.From(1), scope);
        }

        throw MapSyntaxException.At(call, $"'{typeName}.{name}' is not supported in an index.");
    }

    private string OfValue(
        InvocationExpressionSyntax call, string target, string name, IReadOnlyList<ExpressionSyntax> arguments,
        Scope scope)
    {
        if (AllowedMethods.IsWithoutEffect(name))
        {
            return target;
        }

        if (name == "Value" && arguments.Count == 1 && TypeArgumentOf(call.Expression) is { } type)
        {
            // metadata.Value<DateTime>("@last-modified") is (DateTime)metadata["@last-modified"].
            string member = $"{target}.At({_expressions.Value(arguments[0], scope)})";
            return CodeParts.Mark(call) + ExpressionWriter.Cast(type, member);
        }

        List<LambdaExpressionSyntax?> lambdas = [.. arguments.Select(FunctionWriter.AsFunction)];
        if (AllowedMethods.MethodOf(name) is not { } method)
        {
            throw name == "Boost" ? MapSyntaxException.At(call, NoBoost)
                : MapSyntaxException.At(call, $"There is no method '{name}' that an index could call.");
        }

        List<int> shape = [.. lambdas.Select(lambda => lambda is null ? -1 : FunctionWriter.ParameterCount(lambda))];
        if (!AllowedMethods.Allows(method, shape))
        {
            throw MapSyntaxException.At(call, $"'{name}' cannot be called with these arguments.");
        }

        IEnumerable<string> codes = arguments.Select((argument, index) => lambdas[index] is { } lambda
            ? _functions.Write(lambda, scope)
            : _expressions.Value(argument, scope));
        return $"{target}{CodeParts.Mark(call)}.{method}({string.Join(", ", codes)})";
    }

    /// <summary>The one type argument of a generic method; null for others.</summary>
    private static string? TypeArgumentOf(ExpressionSyntax called)
    {
        SimpleNameSyntax? name = called switch
        {
            MemberAccessExpressionSyntax member => member.Name,
            MemberBindingExpressionSyntax binding => binding.Name,
            _ => null,
        };
        return name is GenericNameSyntax { TypeArgumentList.Arguments: [var type] } ? type.ToString() : null;
    }

    internal const string NoBoost = "'Boost' gives an entry or a field its weight while it is indexed, which is not "
        + "supported: weigh the condition in the query, boost(search(Name, $words), 10).";

    /// <summary>Writes a call of a function that only maps of indexes have, such as <c>LoadDocument</c>.</summary>
    private string OfIndex(
        InvocationExpressionSyntax call, string name, CallArguments arguments, Scope scope)
    {
        string mark = CodeParts.Mark(call);
        switch (name)
        {
            case "Recurse" when arguments.Count == 2 && FunctionWriter.AsFunction(arguments[1]) is { } next:
                return $"{mark}DynamicSequence.Recurse({_expressions.Value(arguments[0], scope)}, "
                    + $"{_functions.Write(next, scope)})";
            case "LoadDocument" when arguments.Count is 1 or 2:
                return $"{mark}LoadDocument({Values(arguments.All, scope)})";
            case "LoadAttachment" when arguments.Count == 2:
                return $"{mark}LoadAttachment({Values(arguments.All, scope)})";
            case "LoadCompareExchangeValue" when arguments.Count == 1:
                return $"{mark}LoadCompareExchangeValue({Values(arguments.All, scope)})";
            case "Id" or "AsJson" or "MetadataFor" or "AsDateOnly" or "AttachmentsFor" or "LoadAttachments"
                or "CounterNamesFor" when arguments.Count == 1:
                return $"{mark}{name}({Values(arguments.All, scope)})";
            case "CreateField" when arguments.Count is >= 2 and <= 4:
                return $"{mark}CreateField({Values(arguments.All, scope)})";
            case "CreateSpatialField" when arguments.Count is 1 or 2 or 3:
                return $"{mark}CreateSpatialField({Values(arguments.All, scope)})";
            case "CreateVector" when arguments.Count == 1:
                return $"{mark}CreateVector({Values(arguments.All, scope)})";
            case "Boost":
                throw MapSyntaxException.At(call, NoBoost);
            case "LoadVector":
                throw MapSyntaxException.At(call, $"'LoadVector': {VectorFieldJson.NoModel}.");
            case "nameof" when arguments.Count == 1:
                return _expressions.Parts.Text(arguments[0].ToString().Split('.')[^1]);
            default:
                throw MapSyntaxException.At(
                    call, $"There is no function '{name}' with {arguments.Count} arguments in an index.");
        }
    }

    private string Foreign(InvocationExpressionSyntax call, CallArguments arguments, Scope scope) =>
        $"DynamicConvert.FromObject({CodeParts.Mark(call)}{call.Expression}({Values(arguments.All, scope)}))";

    private string Values(IEnumerable<ExpressionSyntax> arguments, Scope scope) =>
        string.Join(", ", arguments.Select(argument => argument is AnonymousObjectCreationExpressionSyntax
            ? _expressions.Records.Write(argument, scope)
            : _expressions.Value(argument, scope)));

    /// <summary>The arguments of a call, without their names.</summary>
    private readonly struct CallArguments(ArgumentListSyntax list)
    {
        internal IReadOnlyList<ExpressionSyntax> All { get; } = [.. list.Arguments.Select(one => one.Expression)];

        internal int Count => All.Count;

        internal ExpressionSyntax this[int index] => All[index];

        internal IReadOnlyList<ExpressionSyntax> From(int start) => [.. All.Skip(start)];
    }
}
