using Raven.Scripting.Execution;
using Raven.Scripting.Runtime;
using Raven.Scripting.Syntax;

namespace Raven.Scripting.Compilation;

/// <summary>Turns expressions into nodes.</summary>
internal abstract class ExpressionCompiler(FunctionInfo function, string source) : LiteralCompiler(function, source)
{
    protected override Node Compile(Expression expression)
    {
        bool guarded = Enter(expression);
        Node node = CompileCore(expression);
        Leave();
        return guarded && node is not TargetNode ? new DepthGuardNode(node) : node;
    }

    private Node CompileCore(Expression expression)
    {
        switch (expression)
        {
            case Identifier identifier:
                return identifier is { Name: "undefined", Binding: null }
                    ? new ConstantNode(JsValue.Undefined) : CompileName(identifier);
            case MemberExpression member:
                return CompileMember(member);
            case CallExpression call:
                return CompileCall(call);
            case BinaryExpression binary:
                return CompileBinary(binary.Operator, Compile(binary.Left), Compile(binary.Right), binary.Start);
            case AssignExpression assign:
                return CompileAssign(assign);
            case UpdateExpression update:
                return CompileUpdate(update);
            case UnaryExpression unary:
                return CompileUnary(unary);
            case LogicalExpression logical:
                return new LogicalNode(logical.Operator, Compile(logical.Left), Compile(logical.Right));
            case ConditionalExpression choice:
                return new ConditionalNode(Compile(choice.Test), Compile(choice.WhenTrue), Compile(choice.WhenFalse));
            case SequenceExpression sequence:
                return new SequenceNode([.. sequence.Items.Select(Compile)]);
            case ThisExpression:
                return new ThisNode(ThisMayBeMissing()) { Position = expression.Start };
            case NewTargetExpression:
                return new NewTargetNode();
            case NewExpression creation:
                return new NewNode(
                    Compile(creation.Callee), CompileArguments(creation.Arguments), TextOf(creation.Callee))
                {
                    Position = expression.Start,
                };
            case OptionalChain chain:
                return new OptionalChainNode(CompileChain(chain.Body));
            case TemporaryExpression temporary:
                return new LocalNode(temporary.Slot, "", isChecked: false, AssignMode.Assign);
            case CallWithThisExpression call:
                return new CallWithThisNode(
                    Compile(call.Callee), Compile(call.Target), CompileArguments(call.Arguments), TextOf(expression))
                {
                    Position = expression.Start,
                };
            case PrivateInExpression search:
                return new PrivateInNode(Compile(search.Name), Compile(search.Right)) { Position = expression.Start };
            case YieldExpression:
                throw Error("'yield' is not supported in this place", expression);
            default:
                return CompileLiteral(expression);
        }
    }

    private bool ThisMayBeMissing()
    {
        FunctionInfo? info = Function;
        while (info is { IsArrow: true })
        {
            info = info.Parent;
        }

        return info?.Kind == FunctionKind.DerivedConstructor;
    }

    private Node CompileMember(MemberExpression member)
    {
        TargetNode target = CompileMemberTarget(member);
        return target is MemberNode { Name: "length" } length ? new LengthNode(length) : target;
    }

    protected override TargetNode CompileMemberTarget(MemberExpression member)
    {
        if (member.Target is SuperExpression)
        {
            Node? key = member.Computed is null ? null : Compile(member.Computed);
            return new SuperMemberNode(key, member.Name, Strict) { Position = member.Start };
        }

        if (member.Private)
        {
            return new PrivateMemberNode(Compile(member.Target), Compile(member.Computed!)) { Position = member.Start };
        }

        if (member.Name is not null)
        {
            return new MemberNode(Compile(member.Target), member.Name, Strict) { Position = member.Start };
        }

        // a['b'] is a.b; an index stays one.
        if (member.Computed is StringLiteral text && !PropertyKeys.TryIndex(text.Value, out _))
        {
            return new MemberNode(Compile(member.Target), text.Value, Strict) { Position = member.Start };
        }

        return new IndexNode(Compile(member.Target), Compile(member.Computed!), Strict) { Position = member.Start };
    }

    protected ArgumentList CompileArguments(List<Expression> arguments) =>
        new([.. arguments.Select(Compile)], arguments.Exists(one => one is SpreadElement));

    private Node CompileCall(CallExpression call)
    {
        ArgumentList arguments = CompileArguments(call.Arguments);
        string text = TextOf(call.Callee);
        switch (call.Callee)
        {
            case SuperExpression:
                return new SuperCallNode(arguments) { Position = call.Start };
            case OptionalChain { Body: MemberExpression } chain:
                return new CallChainNode(CompileChain(chain.Body), arguments, text) { Position = call.Start };
            case MemberExpression member:
                return CompileMemberTarget(member) switch
                {
                    MemberNode named => new CallMemberNode(named, arguments, text) { Position = call.Start },
                    IndexNode index => new CallIndexNode(index, arguments, text) { Position = call.Start },
                    PrivateMemberNode hidden => new CallPrivateNode(hidden, arguments, text) { Position = call.Start },
                    Node super => new CallWithThisNode(super, new ThisNode(false), arguments, text)
                    {
                        Position = call.Start,
                    },
                };
            default:
                return new CallNode(Compile(call.Callee), arguments, text) { Position = call.Start };
        }
    }

    /// <summary>The steps of a?.b.c(d), from the last to the first.</summary>
    private ChainNode CompileChain(Expression body)
    {
        Enter(body);
        ChainNode node;
        if (body is CallExpression call)
        {
            node = new ChainNode(
                CompileChainStart(call.Callee), ChainKind.Call, null, CompileArguments(call.Arguments), call.Optional,
                TextOf(call.Callee))
            {
                Position = call.Start,
            };
        }
        else
        {
            MemberExpression member = (MemberExpression)body;
            Node key = member.Computed is null ? new ConstantNode(JsValue.Of(member.Name!)) : Compile(member.Computed);
            node = new ChainNode(
                CompileChainStart(member.Target), member.Private ? ChainKind.Private : ChainKind.Member, key, null,
                member.Optional, member.Name ?? TextOf(member.Computed!))
            {
                Position = member.Start,
            };
        }

        Leave();
        return node;
    }

    private Node CompileChainStart(Expression before)
    {
        bool isLink = !before.Parenthesized
            && (before is CallExpression { Callee: not SuperExpression }
                || before is MemberExpression { Target: not SuperExpression })
            && ContainsOptional(before);
        return isLink ? CompileChain(before)
            : before is MemberExpression member ? CompileMemberTarget(member) : Compile(before);
    }

    private static bool ContainsOptional(Expression expression)
    {
        Expression current = expression;
        while (true)
        {
            switch (current)
            {
                case CallExpression call:
                    if (call.Optional)
                    {
                        return true;
                    }

                    current = call.Callee;
                    break;
                case MemberExpression member:
                    if (member.Optional)
                    {
                        return true;
                    }

                    current = member.Target;
                    break;
                default:
                    return false;
            }

            if (current.Parenthesized)
            {
                return false;
            }
        }
    }

    private static Node CompileBinary(TokenKind op, Node left, Node right, int position) => op switch
    {
        TokenKind.Plus => new AddNode(left, right) { Position = position },
        TokenKind.Minus => new SubtractNode(left, right) { Position = position },
        TokenKind.Star => new MultiplyNode(left, right) { Position = position },
        TokenKind.EqualEqualEqual => new StrictEqualsNode(left, right, negated: false),
        TokenKind.NotEqualEqual => new StrictEqualsNode(left, right, negated: true),
        TokenKind.Less or TokenKind.Greater or TokenKind.LessEqual or TokenKind.GreaterEqual =>
            new OrderNode(op, left, right) { Position = position },
        TokenKind.EqualEqual or TokenKind.NotEqual or TokenKind.In or TokenKind.InstanceOf =>
            new CompareNode(op, left, right) { Position = position },
        _ => new ArithmeticNode(op, left, right) { Position = position },
    };

    private Node CompileUnary(UnaryExpression unary)
    {
        if (unary.Operator == TokenKind.Delete)
        {
            return unary.Operand switch
            {
                MemberExpression member => new DeleteNode(CompileMemberTarget(member), Strict)
                {
                    Position = unary.Start,
                },
                OptionalChain => throw Error("'delete' of an optional chain is not supported", unary),
                Identifier => new ConstantNode(JsValue.False),
                _ => new SequenceNode([Compile(unary.Operand), new ConstantNode(JsValue.True)]),
            };
        }

        Node operand = Compile(unary.Operand);
        return unary.Operator switch
        {
            TokenKind.Not => new NotNode(operand),
            TokenKind.TypeOf => new TypeOfNode(operand),
            TokenKind.Minus when operand is ConstantNode { Value.IsNumber: true } constant =>
                new ConstantNode(new JsValue(-constant.Value.Number)),
            _ => new UnaryNode(unary.Operator, operand) { Position = unary.Start },
        };
    }

    private Node CompileAssign(AssignExpression assign)
    {
        if (assign.Operator != TokenKind.Assign)
        {
            return CompileCompound(assign);
        }

        switch (assign.Target)
        {
            case Identifier identifier:
                TargetNode target = CompileName(identifier);
                Node value = Compile(assign.Value);
                return target is LocalNode { IsSimple: true } local
                    ? new AssignLocalNode(local.Slot, value) : new AssignNode(target, value);
            case MemberExpression member:
                return CompileMemberTarget(member) switch
                {
                    MemberNode named => new AssignMemberNode(named, Compile(assign.Value)) { Position = assign.Start },
                    IndexNode index => new AssignIndexNode(index, Compile(assign.Value)) { Position = assign.Start },
                    PrivateMemberNode hidden => new AssignPrivateNode(hidden, Compile(assign.Value)),
                    TargetNode super => new AssignNode(super, Compile(assign.Value)),
                };
            default:
                return new AssignPatternNode(CompilePattern(assign.Target, initialize: false), Compile(assign.Value));
        }
    }

    private Node CompileCompound(AssignExpression assign)
    {
        CompoundOperator op = new(BinaryOf(assign.Operator));
        Node value = Compile(assign.Value);
        return CompileCompound((Expression)assign.Target, op, value, postfix: false, assign.Start);
    }

    private Node CompileCompound(Expression target, CompoundOperator op, Node value, bool postfix, int position)
    {
        TargetNode place = target is Identifier identifier
            ? CompileName(identifier) : CompileMemberTarget((MemberExpression)target);
        return place switch
        {
            MemberNode member => new CompoundMemberNode(member, op, value, postfix) { Position = position },
            IndexNode index => new CompoundIndexNode(index, op, value, postfix) { Position = position },
            PrivateMemberNode hidden => new CompoundPrivateNode(hidden, op, value, postfix),
            _ => new CompoundVariableNode(place, op, value, postfix) { Position = position },
        };
    }

    private Node CompileUpdate(UpdateExpression update)
    {
        double delta = update.Increment ? 1 : -1;
        if (update.Target is Identifier identifier)
        {
            TargetNode target = CompileName(identifier);
            return target is LocalNode { IsSimple: true } local
                ? new UpdateLocalNode(local.Slot, delta, update.Prefix)
                : new UpdateVariableNode(target, delta, update.Prefix);
        }

        CompoundOperator op = new(update.Increment ? TokenKind.PlusPlus : TokenKind.MinusMinus);
        return CompileCompound(update.Target, op, new ConstantNode(new JsValue(1)), !update.Prefix, update.Start);
    }

    /// <summary>The binary operator inside a compound assignment: both lists have the same order.</summary>
    protected static TokenKind BinaryOf(TokenKind assign) => assign switch
    {
        TokenKind.PlusAssign => TokenKind.Plus,
        TokenKind.MinusAssign => TokenKind.Minus,
        TokenKind.StarAssign => TokenKind.Star,
        TokenKind.SlashAssign => TokenKind.Slash,
        TokenKind.PercentAssign => TokenKind.Percent,
        TokenKind.StarStarAssign => TokenKind.StarStar,
        TokenKind.ShiftLeftAssign => TokenKind.ShiftLeft,
        TokenKind.ShiftRightAssign => TokenKind.ShiftRight,
        TokenKind.ShiftRightUnsignedAssign => TokenKind.ShiftRightUnsigned,
        TokenKind.AmpersandAssign => TokenKind.Ampersand,
        TokenKind.BarAssign => TokenKind.Bar,
        TokenKind.CaretAssign => TokenKind.Caret,
        TokenKind.AndAndAssign => TokenKind.AndAnd,
        TokenKind.OrOrAssign => TokenKind.OrOr,
        _ => TokenKind.QuestionQuestion,
    };
}
