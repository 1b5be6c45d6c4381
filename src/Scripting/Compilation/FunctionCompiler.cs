using Raven.Scripting.Execution;
using Raven.Scripting.Syntax;

namespace Raven.Scripting.Compilation;

/// <summary>
/// Compiles one function; inner functions get a compiler of their own. The layers are <see cref="CompilerCore"/>,
/// <see cref="LiteralCompiler"/>, <see cref="ExpressionCompiler"/>, <see cref="StatementCompiler"/>,
/// <see cref="GeneratorExpressions"/> and <see cref="GeneratorStatements"/>.
/// </summary>
internal sealed class FunctionCompiler(FunctionInfo function, string source) : GeneratorStatements(function, source)
{
    /// <summary>Compiles a whole script.</summary>
    /// <exception cref="ScriptSyntaxException">It uses something that is not supported.</exception>
    internal static FunctionCode Compile(FunctionInfo script, string source) =>
        new FunctionCompiler(script, source).Compile(null);

    protected override FunctionCode CompileFunction(FunctionInfo info, FieldNode[]? fields = null)
    {
        Enter(new EmptyStatement { Start = info.Start });
        FunctionCode code = new FunctionCompiler(info, Source).Compile(fields);
        Leave();
        return code;
    }

    private FunctionCode Compile(FieldNode[]? fields)
    {
        FunctionCode code = new()
        {
            Name = Function.Name,
            Kind = Function.Kind,
            Strict = Function.Strict,
            IsGenerator = Function.IsGenerator,
            ParameterCount = Function.Parameters.Count,
            Length = Function.Length,
            Source = Source,
            Start = Function.Start,
            End = Function.End,
            CapturedCount = Function.Scope.CapturedCount,
            KeepsArguments = Function.Rest is not null || Function.Arguments is not null,
            Fields = fields ?? [],
            Globals = Function.Globals,
        };
        code.Prologue = CompilePrologue();
        if (Function.ExpressionBody is not null)
        {
            code.Expression = Compile(Function.ExpressionBody);
        }
        else
        {
            code.Body = Function.IsGenerator ? [CompileGeneratorBody()] : CompileList(Function.Body);
        }

        code.SlotCount = Function.SlotCount;
        return code;
    }

    private Node[] CompilePrologue()
    {
        List<Node> prologue = [];
        if (Function.Arguments is { } arguments)
        {
            prologue.Add(new BindArgumentsNode(
                CompileBinding(arguments, initialize: true, Function.Start), Strict || !Function.HasSimpleParameters));
        }

        if (Function.OwnName is { } name)
        {
            prologue.Add(new BindOwnNameNode(CompileBinding(name, initialize: true, Function.Start)));
        }

        for (int i = 0; i < Function.Parameters.Count; i++)
        {
            PatternElement parameter = Function.Parameters[i];
            bool inPlace = parameter is { Default: null, Target: Identifier { Binding: { Captured: false } binding } }
                && binding.Slot == i;
            bool repeated = parameter.Target is Identifier { Binding: { Captured: false } other } && other.Slot > i
                && other.Slot < Function.Parameters.Count;
            if (!inPlace && !repeated)
            {
                prologue.Add(new BindParameterNode(i, CompileElement(parameter, initialize: true)));
            }
        }

        if (Function.Rest is not null)
        {
            prologue.Add(new BindRestNode(Function.Parameters.Count, CompilePattern(Function.Rest, initialize: true)));
        }

        prologue.AddRange(CompileEntry(Function.Scope));
        return [.. prologue];
    }
}
