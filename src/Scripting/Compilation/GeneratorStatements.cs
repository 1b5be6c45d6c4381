using Raven.Scripting.Execution;
using Raven.Scripting.Runtime;
using Raven.Scripting.Syntax;

namespace Raven.Scripting.Compilation;

/// <summary>Statements of generators: those that contain a yield get nodes that resume at their last place.</summary>
internal abstract class GeneratorStatements(FunctionInfo function, string source)
    : GeneratorExpressions(function, source)
{
    protected StatementNode CompileGeneratorBody()
    {
        StatementNode[] body = CompileList(Function.Body);
        return new ResumableListNode(NewSlot(), body);
    }

    protected override StatementNode CompileStatement(Statement statement)
    {
        if (!Yields(statement))
        {
            return base.CompileStatement(statement);
        }

        Enter(statement);
        StatementNode node = CompileYielding(statement);
        Leave();
        return new DepthGuardStatement(node);
    }

    private StatementNode CompileYielding(Statement statement)
    {
        List<StatementNode> parts = [];
        switch (statement)
        {
            case ExpressionStatement expression:
                parts.Add(new ExpressionStatementNode(Compile(Lower(expression.Expression, parts))));
                break;
            case VariableDeclaration declaration:
                foreach (Declarator one in declaration.Declarators)
                {
                    parts.Add(CompileYieldingDeclarator(declaration.Kind, one, parts));
                }

                break;
            case ReturnStatement result:
                parts.Add(new ReturnNode(Compile(Lower(result.Value!, parts))));
                break;
            case ThrowStatement thrown:
                parts.Add(new ThrowNode(Compile(Lower(thrown.Value, parts)), thrown.Start));
                break;
            case IfStatement choice:
                Node test = Compile(Lower(choice.Test, parts));
                parts.Add(new ResumableIfNode(
                    NewSlot(), test, CompileStatement(choice.WhenTrue),
                    choice.WhenFalse is null ? null : CompileStatement(choice.WhenFalse)));
                break;
            case BlockStatement block:
                return CompileYieldingBlock(block);
            case WhileStatement loop:
                return CompileYieldingWhile(loop);
            case ForStatement loop:
                return CompileYieldingFor(loop);
            case ForEachStatement loop:
                parts.Add(CompileYieldingForEach(loop, parts));
                break;
            case TryStatement attempt:
                return CompileYieldingTry(attempt);
            case SwitchStatement choice:
                parts.Add(CompileYieldingSwitch(choice, parts));
                break;
            case LabeledStatement:
                return base.CompileStatement(statement);
            default:
                throw Error("'yield' is not supported in this place", statement);
        }

        return PackResumable(parts);
    }

    private StatementNode CompileYieldingDeclarator(BindingKind kind, Declarator one, List<StatementNode> parts)
    {
        if (Yields(one.Target))
        {
            throw Error("'yield' is not supported in a pattern", one);
        }

        Expression? value = one.Value is null ? null : Lower(one.Value, parts);
        return CompileDeclarator(kind, new Declarator(one.Target, value) { Start = one.Start, End = one.Start });
    }

    private StatementNode CompileYieldingBlock(BlockStatement block)
    {
        ScopeInfo outer = Scope;
        Scope = block.Scope ?? Scope;
        Node[] entry = block.Scope is null ? [] : CompileEntry(block.Scope);
        ResumableListNode body = new(NewSlot(), CompileList(block.Body));
        Scope = outer;
        int captured = block.Scope?.CapturedCount ?? 0;
        return captured == 0 && entry.Length == 0 ? body : new ResumableBlockNode(NewSlot(), captured, entry, body);
    }

    private ResumableLoopNode CompileYieldingWhile(WhileStatement loop)
    {
        LabelTarget[] labels = TakeLabels();
        List<StatementNode> before = [];
        Node test = Compile(Lower(loop.Test, before));
        return new ResumableLoopNode(NewSlot(ResumableLoopNode.SlotCount), labels)
        {
            TestPart = before.Count == 0 ? null : PackResumable(before),
            Test = test,
            Body = CompileStatement(loop.Body),
            BodyFirst = loop.BodyFirst,
        };
    }

    private ResumableLoopNode CompileYieldingFor(ForStatement loop)
    {
        LabelTarget[] labels = TakeLabels();
        ScopeInfo outer = Scope;
        Scope = loop.Scope!;
        List<StatementNode> initial = [.. CompileEntry(Scope).Select(node => new ExpressionStatementNode(node))];
        if (loop.Initial is Statement declaration)
        {
            initial.Add(CompileStatement(declaration));
        }
        else if (loop.Initial is Expression first)
        {
            initial.Add(new ExpressionStatementNode(Compile(Lower(first, initial))));
        }

        List<StatementNode> before = [];
        Node? test = loop.Test is null ? null : Compile(Lower(loop.Test, before));
        List<StatementNode> update = [];
        if (loop.Update is not null)
        {
            update.Add(new ExpressionStatementNode(Compile(Lower(loop.Update, update))));
        }

        ResumableLoopNode node = new(NewSlot(ResumableLoopNode.SlotCount), labels)
        {
            InitialPart = initial.Count == 0 ? null : PackResumable(initial),
            TestPart = before.Count == 0 ? null : PackResumable(before),
            Test = test,
            UpdatePart = update.Count == 0 ? null : PackResumable(update),
            Body = CompileStatement(loop.Body),
            CapturedCount = Scope.CapturedCount,
        };
        Scope = outer;
        return node;
    }

    private ResumableForEachNode CompileYieldingForEach(ForEachStatement loop, List<StatementNode> parts)
    {
        LabelTarget[] labels = TakeLabels();
        if (Yields(loop.Target))
        {
            throw Error("'yield' is not supported in a pattern", loop);
        }

        Node items = Compile(Lower(loop.Source, parts));
        ScopeInfo outer = Scope;
        Scope = loop.Scope!;
        Node[] entry = CompileEntry(Scope);
        PatternNode target = CompilePattern(loop.Target, loop.Declares is not null);
        ResumableForEachNode node = new(
            NewSlot(2), labels, target, items, CompileStatement(loop.Body), loop.IsOf)
        {
            CapturedCount = Scope.CapturedCount,
            Prologue = entry,
        };
        Scope = outer;
        return node;
    }

    private ResumableTryNode CompileYieldingTry(TryStatement attempt) => new(
        NewSlot(ResumableTryNode.SlotCount),
        CompileStatement(attempt.Body),
        CompileCatch(attempt),
        attempt.Final is null ? null : CompileStatement(attempt.Final));

    private ResumableSwitchNode CompileYieldingSwitch(SwitchStatement choice, List<StatementNode> parts)
    {
        Node value = Compile(Lower(choice.Value, parts));
        ScopeInfo outer = Scope;
        Scope = choice.Scope;
        List<StatementNode> bodies = [];
        foreach (SwitchCase one in choice.Cases)
        {
            bodies.Add(new ResumableListNode(NewSlot(), CompileList(one.Body)));
        }

        Node?[] tests = [.. choice.Cases.Select(one => one.Test is null ? null : Compile(one.Test))];
        ResumableSwitchNode node = new(
            NewSlot(2), value, tests, [.. bodies], Scope.CapturedCount, CompileEntry(Scope));
        Scope = outer;
        return node;
    }
}
