using Raven.Scripting.Execution;
using Raven.Scripting.Runtime;
using Raven.Scripting.Syntax;

namespace Raven.Scripting.Compilation;

/// <summary>Turns statements into nodes.</summary>
internal abstract class StatementCompiler(FunctionInfo function, string source) : ExpressionCompiler(function, source)
{
    private readonly List<(string Name, LabelTarget Target)> _labels = [];

    /// <summary>Labels right before the next statement: a loop takes them.</summary>
    private List<LabelTarget> _pendingLabels = [];

    protected virtual StatementNode CompileStatement(Statement statement)
    {
        bool guarded = Enter(statement);
        LabelTarget[] labels = [.. _pendingLabels];
        _pendingLabels = [];
        StatementNode node = CompileCore(statement, labels);
        Leave();
        return guarded ? new DepthGuardStatement(node) : node;
    }

    protected StatementNode[] CompileList(List<Statement> body) =>
        [.. body.Where(one => one is not EmptyStatement).Select(CompileStatement)];

    protected LabelTarget[] TakeLabels()
    {
        LabelTarget[] labels = [.. _pendingLabels];
        _pendingLabels = [];
        return labels;
    }

    private StatementNode CompileCore(Statement statement, LabelTarget[] labels)
    {
        switch (statement)
        {
            case ExpressionStatement expression:
                return new ExpressionStatementNode(Compile(expression.Expression));
            case VariableDeclaration declaration:
                return Pack([.. declaration.Declarators
                    .Select(one => CompileDeclarator(declaration.Kind, one)).Where(one => one is not EmptyNode)]);
            case FunctionDeclaration declaration:
                return CompileFunctionStatement(declaration);
            case ClassDeclaration declaration:
                return new DeclareNode(
                    CompileBinding(declaration.Binding, initialize: true, declaration.Start),
                    CompileClass(declaration.Class));
            case ReturnStatement result:
                return new ReturnNode(result.Value is null ? null : Compile(result.Value));
            case IfStatement choice:
                return new IfNode(
                    Compile(choice.Test), CompileStatement(choice.WhenTrue),
                    choice.WhenFalse is null ? null : CompileStatement(choice.WhenFalse));
            case BlockStatement block:
                return CompileBlock(block);
            case WhileStatement loop:
                return new WhileNode(labels, Compile(loop.Test), CompileStatement(loop.Body), loop.BodyFirst);
            case ForStatement loop:
                return CompileFor(loop, labels);
            case ForEachStatement loop:
                return CompileForEach(loop, labels);
            case JumpStatement jump:
                return CompileJump(jump);
            case ThrowStatement thrown:
                return new ThrowNode(Compile(thrown.Value), thrown.Start);
            case TryStatement attempt:
                return new TryNode(
                    CompileBlock(attempt.Body), CompileCatch(attempt),
                    attempt.Final is null ? null : CompileBlock(attempt.Final));
            case SwitchStatement choice:
                return CompileSwitch(choice);
            case LabeledStatement labeled:
                return CompileLabeled(labeled, labels);
            default:
                return EmptyNode.Instance;
        }
    }

    protected static StatementNode Pack(StatementNode[] statements) =>
        statements.Length == 0 ? EmptyNode.Instance
        : statements.Length == 1 ? statements[0] : new StatementListNode(statements);

    protected StatementNode CompileDeclarator(BindingKind kind, Declarator declarator)
    {
        if (declarator.Value is null && kind == BindingKind.Var)
        {
            return EmptyNode.Instance;
        }

        if (declarator.Target is not Identifier identifier)
        {
            PatternNode pattern = CompilePattern(declarator.Target, initialize: true);
            return new ExpressionStatementNode(new AssignPatternNode(pattern, Compile(declarator.Value!)));
        }

        TargetNode target = CompileName(identifier, initialize: true);
        return target is LocalNode local && declarator.Value is not null
            ? new DeclareLocalNode(local.Slot, Compile(declarator.Value))
            : new DeclareNode(target, declarator.Value is null ? null : Compile(declarator.Value));
    }

    private StatementNode CompileFunctionStatement(FunctionDeclaration declaration)
    {
        if (declaration.Variable is null)
        {
            return EmptyNode.Instance;
        }

        TargetNode inner = CompileBinding(declaration.Binding, initialize: false, declaration.Start);
        TargetNode outer = CompileBinding(declaration.Variable.Binding!, initialize: true, declaration.Start);
        return new ExpressionStatementNode(new AssignNode(outer, inner));
    }

    protected StatementNode CompileBlock(BlockStatement block)
    {
        if (block.Scope is null)
        {
            return Pack(CompileList(block.Body));
        }

        ScopeInfo outer = Scope;
        Scope = block.Scope;
        Node[] entry = CompileEntry(block.Scope);
        StatementNode body = Pack(CompileList(block.Body));
        Scope = outer;
        return block.Scope.CapturedCount == 0 && entry.Length == 0 ? body
            : new ScopedBlockNode(block.Scope.CapturedCount, entry, body);
    }

    private ForNode CompileFor(ForStatement loop, LabelTarget[] labels)
    {
        ScopeInfo outer = Scope;
        Scope = loop.Scope!;
        StatementNode? initial = CompileInitial(loop.Initial);
        ForNode node = new(
            labels, initial, loop.Test is null ? null : Compile(loop.Test),
            loop.Update is null ? null : Compile(loop.Update), CompileStatement(loop.Body), loop.Scope!.CapturedCount);
        Scope = outer;
        return node;
    }

    private StatementNode? CompileInitial(SyntaxNode? initial)
    {
        StatementNode? node = initial switch
        {
            null => null,
            Expression expression => new ExpressionStatementNode(Compile(expression)),
            _ => CompileStatement((Statement)initial),
        };
        Node[] entry = CompileEntry(Scope);
        return entry.Length == 0 ? node
            : new StatementListNode([.. entry.Select(one =>
                new ExpressionStatementNode(one)), node ?? EmptyNode.Instance]);
    }

    private StatementNode CompileForEach(ForEachStatement loop, LabelTarget[] labels)
    {
        Node items = Compile(loop.Source);
        ScopeInfo outer = Scope;
        Scope = loop.Scope!;
        Node[] entry = CompileEntry(Scope);
        PatternNode target = CompilePattern(loop.Target, loop.Declares is not null);
        StatementNode body = CompileStatement(loop.Body);
        int captured = Scope.CapturedCount;
        Scope = outer;
        return loop.IsOf
            ? new ForOfNode(labels, target, items, body, captured, entry, loop.Source.Start)
            : new ForInNode(labels, target, items, body, captured, entry);
    }

    private JumpNode CompileJump(JumpStatement jump)
    {
        LabelTarget? target = jump.Label is null ? null : _labels.FindLast(one => one.Name == jump.Label).Target;
        return new JumpNode(jump.IsBreak ? Completion.Break : Completion.Continue, target);
    }

    protected CatchNode? CompileCatch(TryStatement attempt)
    {
        if (attempt.Handler is null)
        {
            return null;
        }

        ScopeInfo outer = Scope;
        Scope = attempt.CatchScope!;
        Node[] entry = CompileEntry(Scope);
        PatternNode? parameter = attempt.Parameter is null ? null : CompilePattern(attempt.Parameter, initialize: true);
        CatchNode node = new(parameter, Scope.CapturedCount, entry, CompileStatement(attempt.Handler));
        Scope = outer;
        return node;
    }

    private SwitchNode CompileSwitch(SwitchStatement choice)
    {
        Node value = Compile(choice.Value);
        ScopeInfo outer = Scope;
        Scope = choice.Scope;
        SwitchNode node = new(
            value,
            [.. choice.Cases.Select(one => one.Test is null ? null : Compile(one.Test))],
            [.. choice.Cases.Select(one => Pack(CompileList(one.Body)))],
            Scope.CapturedCount,
            CompileEntry(Scope));
        Scope = outer;
        return node;
    }

    private LabeledNode CompileLabeled(LabeledStatement labeled, LabelTarget[] outer)
    {
        LabelTarget target = new();
        _labels.Add((labeled.Label, target));
        _pendingLabels = [.. outer, target];
        LabeledNode node = new(target, CompileStatement(labeled.Body));
        _labels.RemoveAt(_labels.Count - 1);
        return node;
    }
}
