using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>
/// Makes code count its steps: each turn of a loop, each jump and each call of a member. Code that does not end, or
/// calls itself until the stack is used up, throws instead; what it calls of libraries is not counted.
/// </summary>
/// <param name="model">What the code means.</param>
internal sealed class StepCounter(SemanticModel model) : CSharpSyntaxRewriter
{
    /// <summary>The class that the code is compiled with.</summary>
    internal const string ClassName = "RavenSteps";

    /// <summary>The source of the class. Once the steps are used up, each further one throws as well, so that code
    /// which catches all cannot go on.</summary>
    internal const string Source = """
        internal static class RavenSteps
        {
            [System.ThreadStatic]
            private static long _left;

            [System.ThreadStatic]
            private static bool _isCounted;

            public static void Begin(long steps)
            {
                _left = steps;
                _isCounted = true;
            }

            public static void End() => _isCounted = false;

            public static void Take()
            {
                if (_isCounted && --_left < 0)
                {
                    throw new System.InvalidOperationException("it does not end, or takes more steps than it may");
                }
            }

            // An exception takes as long as a thousand turns of a loop.
            public static void Caught()
            {
                _left -= 1000;
                Take();
            }

            public static void Enter()
            {
                if (!System.Runtime.CompilerServices.RuntimeHelpers.TryEnsureSufficientExecutionStack())
                {
                    _left = 0;
                    throw new System.InvalidOperationException("it calls itself too deep");
                }

                Take();
            }
        }
        """;

    private static readonly StatementSyntax Take = SyntaxFactory.ParseStatement($"global::{ClassName}.Take();");
    private static readonly StatementSyntax Caught = SyntaxFactory.ParseStatement($"global::{ClassName}.Caught();");
    private static readonly StatementSyntax Enter = SyntaxFactory.ParseStatement($"global::{ClassName}.Enter();");

    /// <summary>Makes a compilation count the steps of one of its trees.</summary>
    /// <exception cref="MapSyntaxException">They cannot be counted; the message says where.</exception>
    internal static CSharpCompilation Rewrite(CSharpCompilation compilation, SyntaxTree tree)
    {
        SyntaxNode counted = new StepCounter(compilation.GetSemanticModel(tree)).Visit(tree.GetRoot());
        return compilation.ReplaceSyntaxTree(tree, tree.WithRootAndOptions(counted, tree.Options))
            .AddSyntaxTrees(CSharpSyntaxTree.ParseText(Source));
    }

    /// <summary>Refuses async code: its steps run on other threads, and one that calls itself takes minutes to end, as
    /// its error is caught and thrown again at each depth.</summary>
    public override SyntaxToken VisitToken(SyntaxToken token)
    {
        if (token.IsKind(SyntaxKind.AsyncKeyword))
        {
            LinePosition place = token.GetLocation().GetLineSpan().StartLinePosition;
            throw new MapSyntaxException("an analyzer cannot be async", place.Line + 1, place.Character + 1);
        }

        return base.VisitToken(token);
    }

    /// <inheritdoc/>
    public override SyntaxNode? VisitWhileStatement(WhileStatementSyntax node) =>
        base.VisitWhileStatement(node) is WhileStatementSyntax loop
            ? loop.WithStatement(Counted(loop.Statement))
            : null;

    /// <inheritdoc/>
    public override SyntaxNode? VisitDoStatement(DoStatementSyntax node) =>
        base.VisitDoStatement(node) is DoStatementSyntax loop ? loop.WithStatement(Counted(loop.Statement)) : null;

    /// <inheritdoc/>
    public override SyntaxNode? VisitForStatement(ForStatementSyntax node) =>
        base.VisitForStatement(node) is ForStatementSyntax loop ? loop.WithStatement(Counted(loop.Statement)) : null;

    /// <inheritdoc/>
    public override SyntaxNode? VisitForEachStatement(ForEachStatementSyntax node) =>
        base.VisitForEachStatement(node) is ForEachStatementSyntax loop
            ? loop.WithStatement(Counted(loop.Statement))
            : null;

    /// <inheritdoc/>
    public override SyntaxNode? VisitForEachVariableStatement(ForEachVariableStatementSyntax node) =>
        base.VisitForEachVariableStatement(node) is ForEachVariableStatementSyntax loop
            ? loop.WithStatement(Counted(loop.Statement))
            : null;

    /// <inheritdoc/>
    public override SyntaxNode? VisitGotoStatement(GotoStatementSyntax node) =>
        SyntaxFactory.Block(Take, node.WithoutTrivia());

    /// <inheritdoc/>
    public override SyntaxNode? VisitCatchClause(CatchClauseSyntax node) =>
        base.VisitCatchClause(node) is CatchClauseSyntax clause
            ? clause.WithBlock(clause.Block.WithStatements(clause.Block.Statements.Insert(0, Caught)))
            : null;

    /// <inheritdoc/>
    public override SyntaxNode? VisitMethodDeclaration(MethodDeclarationSyntax node)
    {
        var method = (MethodDeclarationSyntax)base.VisitMethodDeclaration(node)!;
        return method.Body is { } body ? method.WithBody(Entered(body))
            : method.ExpressionBody is { } expression
            ? method.WithExpressionBody(null).WithSemicolonToken(default)
                .WithBody(BlockOf(expression, ReturnsValue(node)))
            : method;
    }

    /// <inheritdoc/>
    public override SyntaxNode? VisitLocalFunctionStatement(LocalFunctionStatementSyntax node)
    {
        var function = (LocalFunctionStatementSyntax)base.VisitLocalFunctionStatement(node)!;
        return function.Body is { } body ? function.WithBody(Entered(body))
            : function.ExpressionBody is { } expression
            ? function.WithExpressionBody(null).WithSemicolonToken(default)
                .WithBody(BlockOf(expression, ReturnsValue(node)))
            : function;
    }

    /// <inheritdoc/>
    public override SyntaxNode? VisitConstructorDeclaration(ConstructorDeclarationSyntax node)
    {
        var constructor = (ConstructorDeclarationSyntax)base.VisitConstructorDeclaration(node)!;
        return constructor.Body is { } body ? constructor.WithBody(Entered(body))
            : constructor.ExpressionBody is { } expression
            ? constructor.WithExpressionBody(null).WithSemicolonToken(default).WithBody(BlockOf(expression, false))
            : constructor;
    }

    /// <inheritdoc/>
    public override SyntaxNode? VisitOperatorDeclaration(OperatorDeclarationSyntax node)
    {
        var method = (OperatorDeclarationSyntax)base.VisitOperatorDeclaration(node)!;
        return method.Body is { } body ? method.WithBody(Entered(body))
            : method.ExpressionBody is { } expression
            ? method.WithExpressionBody(null).WithSemicolonToken(default).WithBody(BlockOf(expression, true))
            : method;
    }

    /// <inheritdoc/>
    public override SyntaxNode? VisitConversionOperatorDeclaration(ConversionOperatorDeclarationSyntax node)
    {
        var method = (ConversionOperatorDeclarationSyntax)base.VisitConversionOperatorDeclaration(node)!;
        return method.Body is { } body ? method.WithBody(Entered(body))
            : method.ExpressionBody is { } expression
            ? method.WithExpressionBody(null).WithSemicolonToken(default).WithBody(BlockOf(expression, true))
            : method;
    }

    /// <inheritdoc/>
    public override SyntaxNode? VisitAccessorDeclaration(AccessorDeclarationSyntax node)
    {
        var accessor = (AccessorDeclarationSyntax)base.VisitAccessorDeclaration(node)!;
        return accessor.Body is { } body ? accessor.WithBody(Entered(body))
            : accessor.ExpressionBody is { } expression
            ? accessor.WithExpressionBody(null).WithSemicolonToken(default)
                .WithBody(BlockOf(expression, accessor.IsKind(SyntaxKind.GetAccessorDeclaration)))
            : accessor;
    }

    /// <inheritdoc/>
    public override SyntaxNode? VisitPropertyDeclaration(PropertyDeclarationSyntax node)
    {
        var property = (PropertyDeclarationSyntax)base.VisitPropertyDeclaration(node)!;
        return property.ExpressionBody is { } expression
            ? property.WithExpressionBody(null).WithSemicolonToken(default).WithAccessorList(GetterOf(expression))
            : property;
    }

    /// <inheritdoc/>
    public override SyntaxNode? VisitIndexerDeclaration(IndexerDeclarationSyntax node)
    {
        var indexer = (IndexerDeclarationSyntax)base.VisitIndexerDeclaration(node)!;
        return indexer.ExpressionBody is { } expression
            ? indexer.WithExpressionBody(null).WithSemicolonToken(default).WithAccessorList(GetterOf(expression))
            : indexer;
    }

    /// <inheritdoc/>
    public override SyntaxNode? VisitParenthesizedLambdaExpression(ParenthesizedLambdaExpressionSyntax node)
    {
        var lambda = (ParenthesizedLambdaExpressionSyntax)base.VisitParenthesizedLambdaExpression(node)!;
        return lambda.Block is { } body ? lambda.WithBlock(Entered(body))
            : IsTree(node) ? lambda
            : lambda.WithExpressionBody(null).WithBlock(BlockOf(lambda.ExpressionBody!, ReturnsValue(node)));
    }

    /// <inheritdoc/>
    public override SyntaxNode? VisitSimpleLambdaExpression(SimpleLambdaExpressionSyntax node)
    {
        var lambda = (SimpleLambdaExpressionSyntax)base.VisitSimpleLambdaExpression(node)!;
        return lambda.Block is { } body ? lambda.WithBlock(Entered(body))
            : IsTree(node) ? lambda
            : lambda.WithExpressionBody(null).WithBlock(BlockOf(lambda.ExpressionBody!, ReturnsValue(node)));
    }

    /// <inheritdoc/>
    public override SyntaxNode? VisitAnonymousMethodExpression(AnonymousMethodExpressionSyntax node)
    {
        var method = (AnonymousMethodExpressionSyntax)base.VisitAnonymousMethodExpression(node)!;
        return method.WithBlock(Entered(method.Block));
    }

    private static BlockSyntax Counted(StatementSyntax body) => SyntaxFactory.Block(Take, body);

    private static BlockSyntax Entered(BlockSyntax body) =>
        body.WithStatements(body.Statements.Insert(0, Enter));

    private static BlockSyntax BlockOf(ArrowExpressionClauseSyntax body, bool isValue) =>
        BlockOf(body.Expression, isValue);

    private static BlockSyntax BlockOf(ExpressionSyntax body, bool isValue) => SyntaxFactory.Block(
        Enter,
        body is ThrowExpressionSyntax thrown ? SyntaxFactory.ThrowStatement(thrown.Expression)
            : isValue ? SyntaxFactory.ReturnStatement(body)
            : SyntaxFactory.ExpressionStatement(body));

    private static AccessorListSyntax GetterOf(ArrowExpressionClauseSyntax body) => SyntaxFactory.AccessorList(
        SyntaxFactory.SingletonList(
            SyntaxFactory.AccessorDeclaration(SyntaxKind.GetAccessorDeclaration, BlockOf(body, true))));

    private bool ReturnsValue(SyntaxNode function) =>
        (model.GetDeclaredSymbol(function) ?? model.GetSymbolInfo(function).Symbol) is IMethodSymbol method
        && !method.ReturnsVoid;

    /// <summary>Whether a lambda is not code, but the tree of an expression, which may have no statements.</summary>
    private bool IsTree(SyntaxNode lambda) =>
        model.GetTypeInfo(lambda).ConvertedType is { TypeKind: not TypeKind.Delegate };
}
