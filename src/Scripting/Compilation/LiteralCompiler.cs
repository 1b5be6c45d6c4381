using Raven.Scripting.Execution;
using Raven.Scripting.Runtime;
using Raven.Scripting.Syntax;

namespace Raven.Scripting.Compilation;

/// <summary>Turns literals, functions, classes and patterns into nodes.</summary>
internal abstract class LiteralCompiler(FunctionInfo function, string source) : CompilerCore(function, source)
{
    protected abstract Node Compile(Expression expression);

    protected abstract TargetNode CompileMemberTarget(MemberExpression member);

    protected Node CompileLiteral(Expression expression) => expression switch
    {
        NumberLiteral number => new ConstantNode(new JsValue(number.Value)),
        BigIntLiteral number => new ConstantNode(new JsValue(new JsBigInt(number.Value))),
        StringLiteral text => new ConstantNode(JsValue.Of(text.Value)),
        WordLiteral word => new ConstantNode(word.Kind switch
        {
            TokenKind.True => JsValue.True,
            TokenKind.False => JsValue.False,
            _ => JsValue.Null,
        }),
        TemplateLiteral template => new TemplateNode(
            [.. template.Cooked.Select(part => JsString.Of(part!))], [.. template.Holes.Select(Compile)])
        {
            Position = template.Start,
        },
        TaggedTemplate tagged => new TaggedTemplateNode(
            Compile(tagged.Tag), tagged.Template.Cooked, tagged.Template.Raw,
            [.. tagged.Template.Holes.Select(Compile)], TextOf(tagged.Tag))
        {
            Position = tagged.Start,
        },
        RegExpLiteral regExp => new RegExpNode(regExp.Pattern, regExp.Flags),
        ArrayLiteral array => new ArrayNode([.. array.Elements.Select(one => one is null ? null : Compile(one))]),
        ObjectLiteral literal => CompileObject(literal),
        FunctionExpression closure => new FunctionNode(CompileFunction(closure.Function)),
        ClassExpression body => CompileClass(body),
        SpreadElement spread => new SpreadNode(Compile(spread.Operand)) { Position = spread.Start },
        _ => throw Error("This is not allowed here", expression),
    };

    private Node CompileObject(ObjectLiteral literal)
    {
        HashSet<string> names = new(StringComparer.Ordinal);
        bool plain = literal.Properties.TrueForAll(one => one is { Kind: PropertyKind.Value, Name: not null }
            && one.Name != "__proto__" && names.Add(one.Name));
        if (plain)
        {
            object[] keys = [.. literal.Properties.Select(one => one.Name!)];
            Node[] values = [.. literal.Properties.Select(one => Compile(one.Value!))];
            return new PlainObjectNode(keys, values, names.Any(name => PropertyKeys.TryIndex(name, out _)));
        }

        return new ObjectNode([.. literal.Properties.Select(CompileProperty)]) { Position = literal.Start };
    }

    private PropertyDefinition CompileProperty(PropertyNode property) => new()
    {
        Kind = property.Kind,
        Name = property.Name,
        Computed = property.Computed is null ? null : Compile(property.Computed),
        Private = property.Private is null ? null : CompileBinding(property.Private, initialize: true, property.Start),
        Value = Compile(property.Value!),
        Static = property.Static,
        IsPrototype = property is { Kind: PropertyKind.Value, Name: "__proto__", Shorthand: false },
        NamesValue = property.Kind == PropertyKind.Value && property.Name is null && IsAnonymous(property.Value),
    };

    private static bool IsAnonymous(Expression? value) =>
        value is FunctionExpression { Function.Name: "" }
            or ClassExpression { Name: null };

    protected ClassNode CompileClass(ClassExpression body)
    {
        ScopeInfo outer = Scope;
        Scope = body.Scope;
        FieldNode[] fields = CompileFields(body, isStatic: false);
        FunctionCode constructor = body.Constructor is { } written
            ? CompileFunction(written, fields) : MakeConstructor(body, fields);
        ClassNode node = new()
        {
            Constructor = constructor,
            Parent = body.Parent is null ? null : Compile(body.Parent),
            Members = [.. body.Members.Where(member => !member.Field).Select(CompileProperty)],
            StaticFields = CompileFields(body, isStatic: true),
            Privates = [.. body.Privates.Select(one => new PrivateDeclaration(
                CompileBinding(one.Binding, initialize: true, body.Start), one.Binding.Name, one.Kind, one.Static))],
            InnerName = body.InnerName is null ? null : CompileBinding(body.InnerName, initialize: true, body.Start),
            ScopeCount = body.Scope.CapturedCount,
            Position = body.Start,
        };
        Scope = outer;
        return node;
    }

    private FieldNode[] CompileFields(ClassExpression body, bool isStatic) =>
        [.. body.Members.Where(member => member.Field && member.Static == isStatic).Select(member =>
        {
            FunctionInfo? initializer = (member.Value as FunctionExpression)?.Function;
            return new FieldNode
            {
                Name = member.Name,
                Computed = member.Computed is null ? null : Compile(member.Computed),
                Private = member.Private is null ? null : CompileBinding(member.Private, true, member.Start),
                Initializer = initializer is null ? null : CompileFunction(initializer),
                Static = isStatic,
                Block = member.Block,
                NamesValue = member.Computed is not null && IsAnonymous(initializer?.ExpressionBody),
            };
        })];

    /// <summary>The constructor of a class without one: in a derived class it passes all arguments on.</summary>
    private FunctionCode MakeConstructor(ClassExpression body, FieldNode[] fields)
    {
        bool derived = body.Parent is not null;
        FunctionCode code = new()
        {
            Name = body.Name ?? "",
            Kind = derived ? FunctionKind.DerivedConstructor : FunctionKind.Constructor,
            Strict = true,
            IsGenerator = false,
            ParameterCount = 0,
            Length = 0,
            Source = Source,
            Start = body.Start,
            End = body.End,
            Fields = fields,
        };
        if (derived)
        {
            code.KeepsArguments = true;
            SpreadNode all = new(new AllArgumentsNode());
            code.Body = [new ExpressionStatementNode(new SuperCallNode(new ArgumentList([all], hasSpread: true))
            {
                Position = body.Start,
            })];
        }

        return code;
    }

    /// <summary>A pattern, or the single place that stands for one.</summary>
    protected PatternNode CompilePattern(SyntaxNode target, bool initialize)
    {
        switch (target)
        {
            case Identifier identifier:
                return new TargetPattern(CompileName(identifier, initialize));
            case MemberExpression member:
                return new TargetPattern(CompileMemberTarget(member));
            case ArrayPattern array:
                return new ArrayPatternNode(
                    [.. array.Elements.Select(one => one is null ? null : CompileElement(one, initialize))],
                    array.Rest is null ? null : CompilePattern(array.Rest, initialize),
                    array.Start);
            default:
                ObjectPattern pattern = (ObjectPattern)target;
                return new ObjectPatternNode(
                    [.. pattern.Parts.Select(part => new ObjectPatternPartNode(
                        part.Name,
                        part.Computed is null ? null : Compile(part.Computed),
                        CompileElement(part.Element, initialize)))],
                    pattern.Rest is null ? null : CompilePattern(pattern.Rest, initialize),
                    pattern.Start);
        }
    }

    protected PatternNode CompileElement(PatternElement element, bool initialize)
    {
        PatternNode inner = CompilePattern(element.Target, initialize);
        return element.Default is null ? inner : new DefaultPattern(inner, Compile(element.Default));
    }
}
