; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources aa5e5447432132c14077f0c5a1d1fbeebf32f495a6717b7549c99b6f2838c875

%struct.Complex_f32 = type { <8 x float>, <8 x float> }
%struct.Complex_f64 = type { <4 x double>, <4 x double> }

define void @transform_f32(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [4 x ptr], align 16
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %11 = load i64, ptr %10, align 8
  %12 = icmp sgt i64 %11, 1
  br i1 %12, label %13, label %24

13:
  %14 = phi i64 [ %22, %18 ], [ 0, %4 ]
  %15 = getelementptr inbounds i32, ptr %9, i64 %14
  %16 = atomicrmw xchg ptr %15, i32 1 acquire, align 4
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %24, label %18

18:
  %19 = add i64 %14, 1
  %20 = load i64, ptr %10, align 8
  %21 = icmp slt i64 %19, %20
  %22 = select i1 %21, i64 %19, i64 0
  %23 = icmp sgt i64 %20, 1
  br i1 %23, label %13, label %24

24:
  %25 = phi i64 [ 0, %4 ], [ %22, %18 ], [ %14, %13 ]
  %26 = load ptr, ptr %0, align 8
  store ptr %26, ptr %5, align 16
  %27 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %29 = load ptr, ptr %28, align 8
  store ptr %29, ptr %27, align 8
  %30 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %32 = load ptr, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %34 = load i64, ptr %33, align 8
  %35 = mul i64 %34, %25
  %36 = getelementptr inbounds i8, ptr %32, i64 %35
  store ptr %36, ptr %30, align 16
  %37 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %39 = load ptr, ptr %38, align 8
  %40 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %41 = load i64, ptr %40, align 8
  %42 = mul i64 %41, %25
  %43 = getelementptr inbounds i8, ptr %39, i64 %42
  store ptr %43, ptr %37, align 8
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %45 = load ptr, ptr %44, align 8
  %46 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %47 = load i64, ptr %46, align 8
  %48 = mul i64 %47, %25
  %49 = getelementptr inbounds i8, ptr %45, i64 %48
  %50 = icmp slt i64 %1, %2
  br i1 %50, label %51, label %54

51:
  %52 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %53 = getelementptr inbounds nuw i8, ptr %7, i64 48
  br label %57

54:
  %55 = load i64, ptr %10, align 8
  %56 = icmp sgt i64 %55, 1
  br i1 %56, label %108, label %110

57:
  %58 = phi i64 [ %1, %51 ], [ %106, %105 ]
  %59 = load i64, ptr %52, align 8
  %60 = icmp eq i64 %59, 0
  br i1 %60, label %61, label %64

61:
  %62 = load i64, ptr %7, align 8
  %63 = icmp sgt i64 %62, 0
  br i1 %63, label %68, label %105

64:
  %65 = load ptr, ptr %53, align 8
  %66 = sdiv i64 %58, %59
  %67 = srem i64 %58, %59
  call fastcc void @step_f32(ptr %65, i64 %66, i64 %67, ptr %5, ptr %49)
  br label %105

68:
  %69 = phi i64 [ %97, %96 ], [ %62, %61 ]
  %70 = phi i64 [ %98, %96 ], [ 0, %61 ]
  %71 = getelementptr inbounds nuw ptr, ptr %53, i64 %70
  %72 = load ptr, ptr %71, align 8
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 24
  %74 = load i64, ptr %73, align 8
  %75 = load i64, ptr %72, align 8
  %76 = icmp eq i64 %75, 0
  br i1 %76, label %77, label %85

77:
  %78 = getelementptr inbounds nuw i8, ptr %72, i64 32
  %79 = load i64, ptr %78, align 8
  %80 = add i64 %79, -1
  %81 = getelementptr inbounds nuw i8, ptr %72, i64 48
  %82 = load i64, ptr %81, align 8
  %83 = shl i64 %82, 3
  %84 = sdiv i64 %80, %83
  br label %89

85:
  %86 = getelementptr inbounds nuw i8, ptr %72, i64 8
  %87 = load i64, ptr %86, align 8
  %88 = sdiv i64 %87, 512
  br label %89

89:
  %90 = phi i64 [ %84, %77 ], [ %88, %85 ]
  %91 = add i64 %90, 1
  %92 = mul i64 %91, %74
  %93 = icmp sgt i64 %92, 0
  br i1 %93, label %100, label %96

94:
  %95 = load i64, ptr %7, align 8
  br label %96

96:
  %97 = phi i64 [ %95, %94 ], [ %69, %89 ]
  %98 = add nuw nsw i64 %70, 1
  %99 = icmp slt i64 %98, %97
  br i1 %99, label %68, label %105

100:
  %101 = phi i64 [ %103, %100 ], [ 0, %89 ]
  %102 = load ptr, ptr %71, align 8
  call fastcc void @step_f32(ptr %102, i64 %58, i64 %101, ptr %5, ptr %49)
  %103 = add nuw nsw i64 %101, 1
  %104 = icmp eq i64 %103, %92
  br i1 %104, label %94, label %100

105:
  %106 = add nsw i64 %58, 1
  %107 = icmp eq i64 %106, %2
  br i1 %107, label %54, label %57

108:
  %109 = getelementptr inbounds i32, ptr %9, i64 %25
  store atomic i32 0, ptr %109 release, align 4
  br label %110

110:
  ret void
}

define internal fastcc void @step_f32(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4) nounwind {
  %6 = alloca [64 x i64], align 16
  %7 = alloca [64 x i64], align 16
  %8 = load i64, ptr %0, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %10, label %18

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %12 = load i64, ptr %11, align 8
  %13 = add i64 %12, -1
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %15 = load i64, ptr %14, align 8
  %16 = shl i64 %15, 3
  %17 = sdiv i64 %13, %16
  br label %22

18:
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %20 = load i64, ptr %19, align 8
  %21 = sdiv i64 %20, 512
  br label %22

22:
  %23 = phi i64 [ %17, %10 ], [ %21, %18 ]
  %24 = add i64 %23, 1
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %26 = load i64, ptr %25, align 8
  %27 = icmp eq i64 %26, 1
  br i1 %27, label %30, label %28

28:
  %29 = sdiv i64 %2, %24
  br label %30

30:
  %31 = phi i64 [ %29, %28 ], [ 0, %22 ]
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %33 = load i64, ptr %32, align 8
  %34 = getelementptr inbounds ptr, ptr %3, i64 %33
  %35 = load ptr, ptr %34, align 8
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %37 = load i64, ptr %36, align 8
  %38 = mul i64 %37, %1
  %39 = getelementptr inbounds float, ptr %35, i64 %38
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %41 = load i64, ptr %40, align 8
  %42 = mul i64 %41, %31
  %43 = getelementptr inbounds float, ptr %39, i64 %42
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %45 = load i64, ptr %44, align 8
  %46 = getelementptr inbounds ptr, ptr %3, i64 %45
  %47 = load ptr, ptr %46, align 8
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %49 = load i64, ptr %48, align 8
  %50 = mul i64 %49, %1
  %51 = getelementptr inbounds float, ptr %47, i64 %50
  %52 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %53 = load i64, ptr %52, align 8
  %54 = mul i64 %53, %31
  %55 = getelementptr inbounds float, ptr %51, i64 %54
  %56 = mul i64 %31, %24
  %57 = sub i64 %2, %56
  br i1 %9, label %58, label %1151

58:
  %59 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %60 = load i64, ptr %59, align 8
  %61 = shl i64 %60, 3
  %62 = mul i64 %61, %57
  %63 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %64 = load i64, ptr %63, align 8
  %65 = sub i64 %64, %62
  %66 = tail call i64 @llvm.smin.i64(i64 %61, i64 %65)
  %67 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %68 = load i64, ptr %67, align 8
  %69 = icmp sgt i64 %61, 0
  br i1 %69, label %70, label %85

70:
  %71 = sdiv i64 %62, %68
  %72 = mul i64 %71, %68
  %73 = srem i64 %62, %68
  %74 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %75 = load i64, ptr %74, align 8
  %76 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %77 = load i64, ptr %76, align 8
  %78 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %79 = load i64, ptr %78, align 8
  %80 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %81 = load i64, ptr %80, align 8
  %82 = add i64 %66, -1
  br label %381

83:
  %84 = load i64, ptr %6, align 16
  br label %85

85:
  %86 = phi i64 [ %84, %83 ], [ undef, %58 ]
  %87 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %88 = load i64, ptr %87, align 8
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %90 = load i64, ptr %89, align 8
  %91 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %92 = load i64, ptr %91, align 8
  %93 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %94 = load i64, ptr %93, align 8
  %95 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %96 = load i64, ptr %95, align 8
  %97 = icmp eq i64 %96, 0
  %98 = add i64 %61, -1
  %99 = getelementptr inbounds i64, ptr %6, i64 %98
  %100 = load i64, ptr %99, align 8
  %101 = sub i64 %100, %86
  %102 = icmp sle i64 %61, %65
  %103 = icmp eq i64 %94, 1
  %104 = select i1 %102, i1 %103, i1 false
  br i1 %104, label %105, label %141

105:
  %106 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %107 = load i64, ptr %106, align 8
  %108 = icmp eq i64 %107, 2
  %109 = shl i64 %98, 1
  %110 = icmp eq i64 %101, %109
  %111 = select i1 %108, i1 %110, i1 false
  br i1 %111, label %112, label %177

112:
  %113 = icmp sgt i64 %88, 0
  br i1 %113, label %114, label %365

114:
  %115 = getelementptr inbounds float, ptr %43, i64 %86
  %116 = icmp sgt i64 %60, 0
  br label %117

117:
  %118 = phi ptr [ %115, %114 ], [ %123, %121 ]
  %119 = phi i64 [ 0, %114 ], [ %122, %121 ]
  %120 = getelementptr %struct.Complex_f32, ptr %4, i64 %119
  br i1 %116, label %125, label %121

121:
  %122 = add nuw nsw i64 %119, 1
  %123 = getelementptr inbounds float, ptr %118, i64 %92
  %124 = icmp eq i64 %122, %88
  br i1 %124, label %365, label %117

125:
  %126 = phi i64 [ %139, %125 ], [ 0, %117 ]
  %127 = mul i64 %126, %90
  %128 = getelementptr %struct.Complex_f32, ptr %120, i64 %127
  %129 = shl i64 %126, 6
  %130 = getelementptr inbounds i8, ptr %118, i64 %129
  %131 = load <8 x float>, ptr %130, align 4
  %132 = getelementptr inbounds nuw i8, ptr %130, i64 32
  %133 = load <8 x float>, ptr %132, align 4
  %134 = shufflevector <8 x float> %131, <8 x float> %133, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %135 = shufflevector <8 x float> %131, <8 x float> %133, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %136 = select i1 %97, <8 x float> %134, <8 x float> %135
  %137 = select i1 %97, <8 x float> %135, <8 x float> %134
  store <8 x float> %136, ptr %128, align 32
  %138 = getelementptr inbounds nuw i8, ptr %128, i64 32
  store <8 x float> %137, ptr %138, align 32
  %139 = add nuw nsw i64 %126, 1
  %140 = icmp eq i64 %139, %60
  br i1 %140, label %121, label %125

141:
  %142 = icmp ne i64 %94, 1
  %143 = select i1 %102, i1 %142, i1 false
  br i1 %143, label %144, label %177

144:
  %145 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %146 = load i64, ptr %145, align 8
  %147 = icmp eq i64 %146, 1
  %148 = icmp eq i64 %101, %98
  %149 = select i1 %147, i1 %148, i1 false
  br i1 %149, label %150, label %177

150:
  %151 = icmp sgt i64 %88, 0
  br i1 %151, label %152, label %365

152:
  %153 = getelementptr inbounds float, ptr %43, i64 %86
  %154 = icmp sgt i64 %60, 0
  br label %155

155:
  %156 = phi ptr [ %153, %152 ], [ %161, %159 ]
  %157 = phi i64 [ 0, %152 ], [ %160, %159 ]
  %158 = getelementptr %struct.Complex_f32, ptr %4, i64 %157
  br i1 %154, label %163, label %159

159:
  %160 = add nuw nsw i64 %157, 1
  %161 = getelementptr inbounds float, ptr %156, i64 %92
  %162 = icmp eq i64 %160, %88
  br i1 %162, label %365, label %155

163:
  %164 = phi i64 [ %175, %163 ], [ 0, %155 ]
  %165 = shl i64 %164, 5
  %166 = getelementptr inbounds i8, ptr %156, i64 %165
  %167 = mul i64 %164, %90
  %168 = getelementptr %struct.Complex_f32, ptr %158, i64 %167
  %169 = load <8 x float>, ptr %166, align 4
  %170 = getelementptr inbounds float, ptr %166, i64 %94
  %171 = load <8 x float>, ptr %170, align 4
  %172 = select i1 %97, <8 x float> %169, <8 x float> %171
  %173 = select i1 %97, <8 x float> %171, <8 x float> %169
  store <8 x float> %172, ptr %168, align 32
  %174 = getelementptr inbounds nuw i8, ptr %168, i64 32
  store <8 x float> %173, ptr %174, align 32
  %175 = add nuw nsw i64 %164, 1
  %176 = icmp eq i64 %175, %60
  br i1 %176, label %159, label %163

177:
  %178 = icmp sgt i64 %66, 0
  br i1 %178, label %179, label %405

179:
  %180 = icmp ne i64 %92, 2
  %181 = xor i1 %103, true
  %182 = select i1 %181, i1 true, i1 %180
  %183 = icmp slt i64 %88, 4
  %184 = select i1 %182, i1 true, i1 %183
  %185 = select i1 %97, i64 0, i64 8
  %186 = select i1 %97, i64 8, i64 0
  %187 = select i1 %97, i64 1, i64 9
  %188 = select i1 %97, i64 9, i64 1
  %189 = select i1 %97, i64 2, i64 10
  %190 = select i1 %97, i64 10, i64 2
  %191 = select i1 %97, i64 3, i64 11
  %192 = select i1 %97, i64 11, i64 3
  %193 = select i1 %97, i64 4, i64 12
  %194 = select i1 %97, i64 12, i64 4
  %195 = select i1 %97, i64 5, i64 13
  %196 = select i1 %97, i64 13, i64 5
  %197 = select i1 %97, i64 6, i64 14
  %198 = select i1 %97, i64 14, i64 6
  %199 = select i1 %97, i64 7, i64 15
  %200 = select i1 %97, i64 15, i64 7
  %201 = add nsw i64 %66, -1
  %202 = lshr i64 %201, 3
  br label %203

203:
  %204 = phi ptr [ %6, %179 ], [ %362, %360 ]
  %205 = phi i64 [ 0, %179 ], [ %361, %360 ]
  %206 = phi ptr [ %4, %179 ], [ %363, %360 ]
  br i1 %184, label %286, label %207

207:
  %208 = getelementptr inbounds nuw i8, ptr %204, i64 32
  %209 = getelementptr inbounds nuw i8, ptr %204, i64 40
  %210 = getelementptr inbounds nuw i8, ptr %204, i64 48
  %211 = getelementptr inbounds nuw i8, ptr %204, i64 56
  %212 = getelementptr inbounds nuw i8, ptr %204, i64 16
  %213 = getelementptr inbounds nuw i8, ptr %204, i64 24
  %214 = getelementptr inbounds nuw i8, ptr %204, i64 8
  %215 = load i64, ptr %208, align 8
  %216 = load i64, ptr %209, align 8
  %217 = load i64, ptr %210, align 8
  %218 = load i64, ptr %211, align 8
  %219 = load i64, ptr %212, align 8
  %220 = load i64, ptr %213, align 8
  %221 = load i64, ptr %214, align 8
  %222 = load i64, ptr %204, align 8
  br label %223

223:
  %224 = phi i64 [ %284, %223 ], [ 4, %207 ]
  %225 = phi i64 [ %224, %223 ], [ 0, %207 ]
  %226 = shl i64 %225, 3
  %227 = getelementptr i8, ptr %43, i64 %226
  %228 = getelementptr float, ptr %227, i64 %215
  %229 = load <8 x float>, ptr %228, align 4
  %230 = getelementptr float, ptr %227, i64 %216
  %231 = load <8 x float>, ptr %230, align 4
  %232 = getelementptr float, ptr %227, i64 %217
  %233 = load <8 x float>, ptr %232, align 4
  %234 = getelementptr float, ptr %227, i64 %218
  %235 = load <8 x float>, ptr %234, align 4
  %236 = shufflevector <8 x float> %229, <8 x float> %231, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %237 = shufflevector <8 x float> %229, <8 x float> %231, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %238 = shufflevector <8 x float> %233, <8 x float> %235, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %239 = shufflevector <8 x float> %233, <8 x float> %235, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %240 = getelementptr float, ptr %227, i64 %219
  %241 = load <8 x float>, ptr %240, align 4
  %242 = getelementptr float, ptr %227, i64 %220
  %243 = load <8 x float>, ptr %242, align 4
  %244 = shufflevector <8 x float> %241, <8 x float> %243, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %245 = shufflevector <8 x float> %241, <8 x float> %243, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %246 = getelementptr float, ptr %227, i64 %222
  %247 = load <8 x float>, ptr %246, align 4
  %248 = getelementptr float, ptr %227, i64 %221
  %249 = load <8 x float>, ptr %248, align 4
  %250 = shufflevector <8 x float> %247, <8 x float> %249, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %251 = shufflevector <8 x float> %247, <8 x float> %249, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %252 = shufflevector <8 x float> %251, <8 x float> %245, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %253 = shufflevector <8 x float> %251, <8 x float> %245, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %254 = shufflevector <8 x float> %250, <8 x float> %244, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %255 = shufflevector <8 x float> %250, <8 x float> %244, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %256 = shufflevector <8 x float> %237, <8 x float> %239, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %257 = shufflevector <8 x float> %237, <8 x float> %239, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %258 = shufflevector <8 x float> %236, <8 x float> %238, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %259 = shufflevector <8 x float> %236, <8 x float> %238, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %260 = shufflevector <8 x float> %252, <8 x float> %259, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %261 = shufflevector <8 x float> %252, <8 x float> %259, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %262 = shufflevector <8 x float> %254, <8 x float> %257, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %263 = shufflevector <8 x float> %254, <8 x float> %257, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %264 = shufflevector <8 x float> %253, <8 x float> %258, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %265 = shufflevector <8 x float> %253, <8 x float> %258, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %266 = shufflevector <8 x float> %255, <8 x float> %256, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %267 = shufflevector <8 x float> %255, <8 x float> %256, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %268 = getelementptr %struct.Complex_f32, ptr %206, i64 %225
  %269 = select i1 %97, <8 x float> %262, <8 x float> %260
  %270 = select i1 %97, <8 x float> %260, <8 x float> %262
  store <8 x float> %270, ptr %268, align 32
  %271 = getelementptr inbounds nuw i8, ptr %268, i64 32
  store <8 x float> %269, ptr %271, align 32
  %272 = getelementptr i8, ptr %268, i64 64
  %273 = select i1 %97, <8 x float> %266, <8 x float> %264
  %274 = select i1 %97, <8 x float> %264, <8 x float> %266
  store <8 x float> %274, ptr %272, align 32
  %275 = getelementptr i8, ptr %268, i64 96
  store <8 x float> %273, ptr %275, align 32
  %276 = getelementptr i8, ptr %268, i64 128
  %277 = select i1 %97, <8 x float> %263, <8 x float> %261
  %278 = select i1 %97, <8 x float> %261, <8 x float> %263
  store <8 x float> %278, ptr %276, align 32
  %279 = getelementptr i8, ptr %268, i64 160
  store <8 x float> %277, ptr %279, align 32
  %280 = getelementptr i8, ptr %268, i64 192
  %281 = select i1 %97, <8 x float> %267, <8 x float> %265
  %282 = select i1 %97, <8 x float> %265, <8 x float> %267
  store <8 x float> %282, ptr %280, align 32
  %283 = getelementptr i8, ptr %268, i64 224
  store <8 x float> %281, ptr %283, align 32
  %284 = add i64 %224, 4
  %285 = icmp sgt i64 %284, %88
  br i1 %285, label %286, label %223

286:
  %287 = phi i64 [ 0, %203 ], [ %224, %223 ]
  %288 = icmp slt i64 %287, %88
  br i1 %288, label %289, label %360

289:
  %290 = getelementptr inbounds nuw i8, ptr %204, i64 8
  %291 = getelementptr inbounds nuw i8, ptr %204, i64 16
  %292 = getelementptr inbounds nuw i8, ptr %204, i64 24
  %293 = getelementptr inbounds nuw i8, ptr %204, i64 32
  %294 = getelementptr inbounds nuw i8, ptr %204, i64 40
  %295 = getelementptr inbounds nuw i8, ptr %204, i64 48
  %296 = getelementptr inbounds nuw i8, ptr %204, i64 56
  %297 = load i64, ptr %290, align 8
  %298 = load i64, ptr %291, align 8
  %299 = load i64, ptr %292, align 8
  %300 = load i64, ptr %293, align 8
  %301 = load i64, ptr %294, align 8
  %302 = load i64, ptr %295, align 8
  %303 = load i64, ptr %296, align 8
  %304 = load i64, ptr %204, align 8
  br label %305

305:
  %306 = phi i64 [ %358, %305 ], [ %287, %289 ]
  %307 = getelementptr inbounds %struct.Complex_f32, ptr %206, i64 %306
  %308 = mul i64 %306, %92
  %309 = getelementptr float, ptr %43, i64 %308
  %310 = getelementptr float, ptr %309, i64 %304
  %311 = load float, ptr %310, align 4
  %312 = getelementptr inbounds nuw float, ptr %307, i64 %185
  store float %311, ptr %312, align 4
  %313 = getelementptr inbounds float, ptr %310, i64 %94
  %314 = load float, ptr %313, align 4
  %315 = getelementptr inbounds nuw float, ptr %307, i64 %186
  store float %314, ptr %315, align 4
  %316 = getelementptr float, ptr %309, i64 %297
  %317 = load float, ptr %316, align 4
  %318 = getelementptr inbounds nuw float, ptr %307, i64 %187
  store float %317, ptr %318, align 4
  %319 = getelementptr inbounds float, ptr %316, i64 %94
  %320 = load float, ptr %319, align 4
  %321 = getelementptr inbounds nuw float, ptr %307, i64 %188
  store float %320, ptr %321, align 4
  %322 = getelementptr float, ptr %309, i64 %298
  %323 = load float, ptr %322, align 4
  %324 = getelementptr inbounds nuw float, ptr %307, i64 %189
  store float %323, ptr %324, align 4
  %325 = getelementptr inbounds float, ptr %322, i64 %94
  %326 = load float, ptr %325, align 4
  %327 = getelementptr inbounds nuw float, ptr %307, i64 %190
  store float %326, ptr %327, align 4
  %328 = getelementptr float, ptr %309, i64 %299
  %329 = load float, ptr %328, align 4
  %330 = getelementptr inbounds nuw float, ptr %307, i64 %191
  store float %329, ptr %330, align 4
  %331 = getelementptr inbounds float, ptr %328, i64 %94
  %332 = load float, ptr %331, align 4
  %333 = getelementptr inbounds nuw float, ptr %307, i64 %192
  store float %332, ptr %333, align 4
  %334 = getelementptr float, ptr %309, i64 %300
  %335 = load float, ptr %334, align 4
  %336 = getelementptr inbounds nuw float, ptr %307, i64 %193
  store float %335, ptr %336, align 4
  %337 = getelementptr inbounds float, ptr %334, i64 %94
  %338 = load float, ptr %337, align 4
  %339 = getelementptr inbounds nuw float, ptr %307, i64 %194
  store float %338, ptr %339, align 4
  %340 = getelementptr float, ptr %309, i64 %301
  %341 = load float, ptr %340, align 4
  %342 = getelementptr inbounds nuw float, ptr %307, i64 %195
  store float %341, ptr %342, align 4
  %343 = getelementptr inbounds float, ptr %340, i64 %94
  %344 = load float, ptr %343, align 4
  %345 = getelementptr inbounds nuw float, ptr %307, i64 %196
  store float %344, ptr %345, align 4
  %346 = getelementptr float, ptr %309, i64 %302
  %347 = load float, ptr %346, align 4
  %348 = getelementptr inbounds nuw float, ptr %307, i64 %197
  store float %347, ptr %348, align 4
  %349 = getelementptr inbounds float, ptr %346, i64 %94
  %350 = load float, ptr %349, align 4
  %351 = getelementptr inbounds nuw float, ptr %307, i64 %198
  store float %350, ptr %351, align 4
  %352 = getelementptr float, ptr %309, i64 %303
  %353 = load float, ptr %352, align 4
  %354 = getelementptr inbounds nuw float, ptr %307, i64 %199
  store float %353, ptr %354, align 4
  %355 = getelementptr inbounds float, ptr %352, i64 %94
  %356 = load float, ptr %355, align 4
  %357 = getelementptr inbounds nuw float, ptr %307, i64 %200
  store float %356, ptr %357, align 4
  %358 = add nsw i64 %306, 1
  %359 = icmp eq i64 %358, %88
  br i1 %359, label %360, label %305

360:
  %361 = add nuw nsw i64 %205, 1
  %362 = getelementptr inbounds nuw i8, ptr %204, i64 64
  %363 = getelementptr inbounds %struct.Complex_f32, ptr %206, i64 %90
  %364 = icmp eq i64 %205, %202
  br i1 %364, label %365, label %203

365:
  %366 = icmp sgt i64 %66, 0
  br i1 %366, label %367, label %405

367:
  %368 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %369 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %370 = getelementptr inbounds nuw i8, ptr %0, i64 272
  %371 = getelementptr inbounds nuw i8, ptr %0, i64 256
  %372 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %373 = getelementptr inbounds nuw i8, ptr %0, i64 264
  %374 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %375 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %376 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %377 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %378 = getelementptr inbounds nuw i8, ptr %0, i64 248
  %379 = add nsw i64 %66, -1
  %380 = lshr i64 %379, 3
  br label %809

381:
  %382 = phi i64 [ %71, %70 ], [ %402, %400 ]
  %383 = phi i64 [ 0, %70 ], [ %403, %400 ]
  %384 = phi i64 [ %73, %70 ], [ %401, %400 ]
  %385 = mul i64 %382, %75
  %386 = mul i64 %384, %77
  %387 = add i64 %386, %385
  %388 = getelementptr inbounds nuw i64, ptr %6, i64 %383
  store i64 %387, ptr %388, align 8
  %389 = mul i64 %382, %79
  %390 = mul i64 %384, %81
  %391 = add i64 %390, %389
  %392 = getelementptr inbounds nuw i64, ptr %7, i64 %383
  store i64 %391, ptr %392, align 8
  %393 = icmp slt i64 %383, %82
  br i1 %393, label %394, label %400

394:
  %395 = add i64 %384, 1
  %396 = icmp eq i64 %395, %68
  %397 = select i1 %396, i64 0, i64 %395
  %398 = zext i1 %396 to i64
  %399 = add i64 %382, %398
  br label %400

400:
  %401 = phi i64 [ %384, %381 ], [ %397, %394 ]
  %402 = phi i64 [ %382, %381 ], [ %399, %394 ]
  %403 = add nuw nsw i64 %383, 1
  %404 = icmp eq i64 %403, %61
  br i1 %404, label %83, label %381

405:
  %406 = phi i1 [ false, %177 ], [ false, %365 ], [ true, %1146 ]
  %407 = load i64, ptr %59, align 8
  %408 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %409 = load i64, ptr %408, align 8
  %410 = load i64, ptr %89, align 8
  %411 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %412 = load i64, ptr %411, align 8
  %413 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %414 = load i64, ptr %413, align 8
  %415 = shl i64 %407, 3
  %416 = getelementptr inbounds nuw i8, ptr %0, i64 248
  %417 = load ptr, ptr %416, align 8
  %418 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %419 = load i64, ptr %418, align 8
  %420 = icmp eq i64 %419, 0
  %421 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %422 = load double, ptr %421, align 8
  %423 = fptrunc double %422 to float
  %424 = add i64 %415, -1
  %425 = getelementptr inbounds i64, ptr %7, i64 %424
  %426 = load i64, ptr %425, align 8
  %427 = load i64, ptr %7, align 16
  %428 = sub i64 %426, %427
  %429 = getelementptr inbounds nuw i8, ptr %0, i64 280
  %430 = load ptr, ptr %429, align 8
  %431 = getelementptr inbounds nuw i8, ptr %0, i64 288
  %432 = load ptr, ptr %431, align 8
  %433 = shl i64 %57, 1
  %434 = mul i64 %433, %407
  %435 = mul i64 %434, %409
  %436 = getelementptr inbounds float, ptr %432, i64 %435
  %437 = icmp ne ptr %430, null
  %438 = icmp eq i64 %66, %415
  %439 = and i1 %438, %437
  br i1 %439, label %440, label %501

440:
  %441 = icmp sgt i64 %409, 0
  br i1 %441, label %442, label %1150

442:
  %443 = getelementptr inbounds float, ptr %55, i64 %427
  %444 = icmp sgt i64 %407, 0
  br label %445

445:
  %446 = phi ptr [ %443, %442 ], [ %455, %453 ]
  %447 = phi i64 [ 0, %442 ], [ %454, %453 ]
  br i1 %444, label %448, label %453

448:
  %449 = getelementptr inbounds nuw i32, ptr %417, i64 %447
  %450 = shl i64 %447, 6
  %451 = getelementptr inbounds i8, ptr %430, i64 %450
  %452 = getelementptr inbounds nuw i8, ptr %451, i64 32
  br label %457

453:
  %454 = add nuw nsw i64 %447, 1
  %455 = getelementptr inbounds float, ptr %446, i64 %412
  %456 = icmp eq i64 %454, %409
  br i1 %456, label %1150, label %445

457:
  %458 = phi i64 [ 0, %448 ], [ %499, %457 ]
  %459 = mul i64 %458, %410
  %460 = load i32, ptr %449, align 4
  %461 = sext i32 %460 to i64
  %462 = getelementptr %struct.Complex_f32, ptr %4, i64 %459
  %463 = getelementptr %struct.Complex_f32, ptr %462, i64 %461
  %464 = mul i64 %458, %409
  %465 = add i64 %464, %447
  %466 = shl i64 %465, 3
  %467 = getelementptr inbounds i8, ptr %436, i64 %466
  %468 = load <8 x float>, ptr %463, align 32
  %469 = getelementptr inbounds nuw i8, ptr %463, i64 32
  %470 = load <8 x float>, ptr %469, align 32
  %471 = load <8 x float>, ptr %451, align 4
  %472 = load <8 x float>, ptr %452, align 4
  %473 = load float, ptr %467, align 4
  %474 = insertelement <8 x float> poison, float %473, i64 0
  %475 = shufflevector <8 x float> %474, <8 x float> poison, <8 x i32> zeroinitializer
  %476 = getelementptr inbounds nuw i8, ptr %467, i64 4
  %477 = load float, ptr %476, align 4
  %478 = insertelement <8 x float> poison, float %477, i64 0
  %479 = fneg float %477
  %480 = insertelement <8 x float> poison, float %479, i64 0
  %481 = shufflevector <8 x float> %480, <8 x float> poison, <8 x i32> zeroinitializer
  %482 = fmul <8 x float> %472, %481
  %483 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %471, <8 x float> %475, <8 x float> %482)
  %484 = shufflevector <8 x float> %478, <8 x float> poison, <8 x i32> zeroinitializer
  %485 = fmul <8 x float> %471, %484
  %486 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %472, <8 x float> %475, <8 x float> %485)
  %487 = fneg <8 x float> %486
  %488 = fmul <8 x float> %470, %487
  %489 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %468, <8 x float> %483, <8 x float> %488)
  %490 = fmul <8 x float> %468, %486
  %491 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %470, <8 x float> %483, <8 x float> %490)
  %492 = shl i64 %458, 6
  %493 = getelementptr inbounds i8, ptr %446, i64 %492
  %494 = select i1 %420, <8 x float> %489, <8 x float> %491
  %495 = select i1 %420, <8 x float> %491, <8 x float> %489
  %496 = shufflevector <8 x float> %494, <8 x float> %495, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  store <8 x float> %496, ptr %493, align 4
  %497 = shufflevector <8 x float> %494, <8 x float> %495, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  %498 = getelementptr inbounds nuw i8, ptr %493, i64 32
  store <8 x float> %497, ptr %498, align 4
  %499 = add nuw nsw i64 %458, 1
  %500 = icmp eq i64 %499, %407
  br i1 %500, label %453, label %457

501:
  %502 = and i1 %406, %437
  br i1 %502, label %503, label %554

503:
  %504 = icmp sgt i64 %409, 0
  %505 = add nsw i64 %66, -1
  %506 = lshr i64 %505, 3
  br label %507

507:
  %508 = phi i64 [ 0, %503 ], [ %514, %513 ]
  br i1 %504, label %509, label %513

509:
  %510 = mul i64 %508, %410
  %511 = getelementptr inbounds %struct.Complex_f32, ptr %4, i64 %510
  %512 = mul i64 %508, %409
  br label %516

513:
  %514 = add nuw nsw i64 %508, 1
  %515 = icmp eq i64 %508, %506
  br i1 %515, label %554, label %507

516:
  %517 = phi i64 [ 0, %509 ], [ %552, %516 ]
  %518 = getelementptr inbounds nuw i32, ptr %417, i64 %517
  %519 = load i32, ptr %518, align 4
  %520 = sext i32 %519 to i64
  %521 = getelementptr inbounds %struct.Complex_f32, ptr %511, i64 %520
  %522 = shl i64 %517, 6
  %523 = getelementptr inbounds i8, ptr %430, i64 %522
  %524 = add i64 %517, %512
  %525 = shl i64 %524, 3
  %526 = getelementptr inbounds i8, ptr %436, i64 %525
  %527 = load <8 x float>, ptr %521, align 32
  %528 = getelementptr inbounds nuw i8, ptr %521, i64 32
  %529 = load <8 x float>, ptr %528, align 32
  %530 = load <8 x float>, ptr %523, align 4
  %531 = getelementptr inbounds nuw i8, ptr %523, i64 32
  %532 = load <8 x float>, ptr %531, align 4
  %533 = load float, ptr %526, align 4
  %534 = insertelement <8 x float> poison, float %533, i64 0
  %535 = shufflevector <8 x float> %534, <8 x float> poison, <8 x i32> zeroinitializer
  %536 = getelementptr inbounds nuw i8, ptr %526, i64 4
  %537 = load float, ptr %536, align 4
  %538 = insertelement <8 x float> poison, float %537, i64 0
  %539 = fneg float %537
  %540 = insertelement <8 x float> poison, float %539, i64 0
  %541 = shufflevector <8 x float> %540, <8 x float> poison, <8 x i32> zeroinitializer
  %542 = fmul <8 x float> %532, %541
  %543 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %530, <8 x float> %535, <8 x float> %542)
  %544 = shufflevector <8 x float> %538, <8 x float> poison, <8 x i32> zeroinitializer
  %545 = fmul <8 x float> %530, %544
  %546 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %532, <8 x float> %535, <8 x float> %545)
  %547 = fneg <8 x float> %546
  %548 = fmul <8 x float> %529, %547
  %549 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %527, <8 x float> %543, <8 x float> %548)
  %550 = fmul <8 x float> %527, %546
  %551 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %529, <8 x float> %543, <8 x float> %550)
  store <8 x float> %549, ptr %521, align 32
  store <8 x float> %551, ptr %528, align 32
  %552 = add nuw nsw i64 %517, 1
  %553 = icmp eq i64 %552, %409
  br i1 %553, label %513, label %516

554:
  %555 = icmp eq i64 %414, 1
  %556 = select i1 %438, i1 %555, i1 false
  br i1 %556, label %557, label %601

557:
  %558 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %559 = load i64, ptr %558, align 8
  %560 = icmp eq i64 %559, 2
  %561 = shl i64 %424, 1
  %562 = icmp eq i64 %428, %561
  %563 = select i1 %560, i1 %562, i1 false
  br i1 %563, label %564, label %645

564:
  %565 = icmp sgt i64 %409, 0
  br i1 %565, label %566, label %1150

566:
  %567 = getelementptr inbounds float, ptr %55, i64 %427
  %568 = icmp sgt i64 %407, 0
  %569 = insertelement <8 x float> poison, float %423, i64 0
  %570 = shufflevector <8 x float> %569, <8 x float> poison, <8 x i32> zeroinitializer
  br label %571

571:
  %572 = phi ptr [ %567, %566 ], [ %578, %576 ]
  %573 = phi i64 [ 0, %566 ], [ %577, %576 ]
  br i1 %568, label %574, label %576

574:
  %575 = getelementptr inbounds nuw i32, ptr %417, i64 %573
  br label %580

576:
  %577 = add nuw nsw i64 %573, 1
  %578 = getelementptr inbounds float, ptr %572, i64 %412
  %579 = icmp eq i64 %577, %409
  br i1 %579, label %1150, label %571

580:
  %581 = phi i64 [ 0, %574 ], [ %599, %580 ]
  %582 = shl i64 %581, 6
  %583 = getelementptr inbounds i8, ptr %572, i64 %582
  %584 = mul i64 %581, %410
  %585 = load i32, ptr %575, align 4
  %586 = sext i32 %585 to i64
  %587 = getelementptr %struct.Complex_f32, ptr %4, i64 %584
  %588 = getelementptr %struct.Complex_f32, ptr %587, i64 %586
  %589 = load <8 x float>, ptr %588, align 32
  %590 = getelementptr inbounds nuw i8, ptr %588, i64 32
  %591 = load <8 x float>, ptr %590, align 32
  %592 = fmul <8 x float> %570, %589
  %593 = fmul <8 x float> %570, %591
  %594 = select i1 %420, <8 x float> %592, <8 x float> %593
  %595 = select i1 %420, <8 x float> %593, <8 x float> %592
  %596 = shufflevector <8 x float> %594, <8 x float> %595, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  store <8 x float> %596, ptr %583, align 4
  %597 = shufflevector <8 x float> %594, <8 x float> %595, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  %598 = getelementptr inbounds nuw i8, ptr %583, i64 32
  store <8 x float> %597, ptr %598, align 4
  %599 = add nuw nsw i64 %581, 1
  %600 = icmp eq i64 %599, %407
  br i1 %600, label %576, label %580

601:
  %602 = icmp ne i64 %414, 1
  %603 = select i1 %438, i1 %602, i1 false
  br i1 %603, label %604, label %645

604:
  %605 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %606 = load i64, ptr %605, align 8
  %607 = icmp eq i64 %606, 1
  %608 = icmp eq i64 %428, %424
  %609 = select i1 %607, i1 %608, i1 false
  br i1 %609, label %610, label %645

610:
  %611 = icmp sgt i64 %409, 0
  br i1 %611, label %612, label %1150

612:
  %613 = getelementptr inbounds float, ptr %55, i64 %427
  %614 = icmp sgt i64 %407, 0
  %615 = insertelement <8 x float> poison, float %423, i64 0
  %616 = shufflevector <8 x float> %615, <8 x float> poison, <8 x i32> zeroinitializer
  br label %617

617:
  %618 = phi ptr [ %613, %612 ], [ %624, %622 ]
  %619 = phi i64 [ 0, %612 ], [ %623, %622 ]
  br i1 %614, label %620, label %622

620:
  %621 = getelementptr inbounds nuw i32, ptr %417, i64 %619
  br label %626

622:
  %623 = add nuw nsw i64 %619, 1
  %624 = getelementptr inbounds float, ptr %618, i64 %412
  %625 = icmp eq i64 %623, %409
  br i1 %625, label %1150, label %617

626:
  %627 = phi i64 [ 0, %620 ], [ %643, %626 ]
  %628 = mul i64 %627, %410
  %629 = load i32, ptr %621, align 4
  %630 = sext i32 %629 to i64
  %631 = getelementptr %struct.Complex_f32, ptr %4, i64 %628
  %632 = getelementptr %struct.Complex_f32, ptr %631, i64 %630
  %633 = load <8 x float>, ptr %632, align 32
  %634 = getelementptr inbounds nuw i8, ptr %632, i64 32
  %635 = load <8 x float>, ptr %634, align 32
  %636 = fmul <8 x float> %616, %633
  %637 = fmul <8 x float> %616, %635
  %638 = select i1 %420, <8 x float> %636, <8 x float> %637
  %639 = select i1 %420, <8 x float> %637, <8 x float> %636
  %640 = shl i64 %627, 5
  %641 = getelementptr inbounds i8, ptr %618, i64 %640
  store <8 x float> %638, ptr %641, align 4
  %642 = getelementptr inbounds float, ptr %641, i64 %414
  store <8 x float> %639, ptr %642, align 4
  %643 = add nuw nsw i64 %627, 1
  %644 = icmp eq i64 %643, %407
  br i1 %644, label %622, label %626

645:
  br i1 %406, label %646, label %1150

646:
  %647 = icmp ne i64 %412, 2
  %648 = xor i1 %555, true
  %649 = select i1 %648, i1 true, i1 %647
  %650 = icmp slt i64 %409, 4
  %651 = insertelement <8 x float> poison, float %423, i64 0
  %652 = shufflevector <8 x float> %651, <8 x float> poison, <8 x i32> zeroinitializer
  %653 = select i1 %649, i1 true, i1 %650
  br label %654

654:
  %655 = phi ptr [ %7, %646 ], [ %806, %804 ]
  %656 = phi i64 [ %66, %646 ], [ %805, %804 ]
  %657 = phi ptr [ %4, %646 ], [ %807, %804 ]
  %658 = tail call i64 @llvm.umin.i64(i64 %656, i64 8)
  br i1 %653, label %773, label %659

659:
  %660 = icmp samesign ugt i64 %656, 1
  %661 = getelementptr inbounds nuw i8, ptr %655, i64 8
  %662 = icmp samesign ugt i64 %656, 2
  %663 = getelementptr inbounds nuw i8, ptr %655, i64 16
  %664 = icmp samesign ugt i64 %656, 3
  %665 = getelementptr inbounds nuw i8, ptr %655, i64 24
  %666 = icmp samesign ugt i64 %656, 4
  %667 = getelementptr inbounds nuw i8, ptr %655, i64 32
  %668 = icmp samesign ugt i64 %656, 5
  %669 = getelementptr inbounds nuw i8, ptr %655, i64 40
  %670 = icmp samesign ugt i64 %656, 6
  %671 = getelementptr inbounds nuw i8, ptr %655, i64 48
  %672 = icmp samesign ugt i64 %656, 7
  %673 = getelementptr inbounds nuw i8, ptr %655, i64 56
  %674 = load i64, ptr %655, align 8
  br label %675

675:
  %676 = phi i64 [ %771, %770 ], [ 4, %659 ]
  %677 = phi i64 [ %676, %770 ], [ 0, %659 ]
  %678 = getelementptr i32, ptr %417, i64 %677
  %679 = getelementptr i8, ptr %678, i64 8
  %680 = load i32, ptr %679, align 4
  %681 = sext i32 %680 to i64
  %682 = getelementptr inbounds %struct.Complex_f32, ptr %657, i64 %681
  %683 = load <8 x float>, ptr %682, align 32
  %684 = getelementptr inbounds nuw i8, ptr %682, i64 32
  %685 = load <8 x float>, ptr %684, align 32
  %686 = fmul <8 x float> %652, %683
  %687 = fmul <8 x float> %652, %685
  %688 = select i1 %420, <8 x float> %687, <8 x float> %686
  %689 = select i1 %420, <8 x float> %686, <8 x float> %687
  %690 = getelementptr i8, ptr %678, i64 12
  %691 = load i32, ptr %690, align 4
  %692 = sext i32 %691 to i64
  %693 = getelementptr inbounds %struct.Complex_f32, ptr %657, i64 %692
  %694 = load <8 x float>, ptr %693, align 32
  %695 = getelementptr inbounds nuw i8, ptr %693, i64 32
  %696 = load <8 x float>, ptr %695, align 32
  %697 = fmul <8 x float> %652, %694
  %698 = fmul <8 x float> %652, %696
  %699 = select i1 %420, <8 x float> %698, <8 x float> %697
  %700 = select i1 %420, <8 x float> %697, <8 x float> %698
  %701 = shufflevector <8 x float> %689, <8 x float> %688, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %702 = shufflevector <8 x float> %689, <8 x float> %688, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %703 = shufflevector <8 x float> %700, <8 x float> %699, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %704 = shufflevector <8 x float> %700, <8 x float> %699, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %705 = getelementptr i8, ptr %678, i64 4
  %706 = load i32, ptr %705, align 4
  %707 = sext i32 %706 to i64
  %708 = getelementptr inbounds %struct.Complex_f32, ptr %657, i64 %707
  %709 = load <8 x float>, ptr %708, align 32
  %710 = fmul <8 x float> %652, %709
  %711 = getelementptr inbounds nuw i8, ptr %708, i64 32
  %712 = load <8 x float>, ptr %711, align 32
  %713 = fmul <8 x float> %652, %712
  %714 = select i1 %420, <8 x float> %710, <8 x float> %713
  %715 = select i1 %420, <8 x float> %713, <8 x float> %710
  %716 = shufflevector <8 x float> %714, <8 x float> %715, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %717 = shufflevector <8 x float> %714, <8 x float> %715, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %718 = load i32, ptr %678, align 4
  %719 = sext i32 %718 to i64
  %720 = getelementptr inbounds %struct.Complex_f32, ptr %657, i64 %719
  %721 = load <8 x float>, ptr %720, align 32
  %722 = fmul <8 x float> %652, %721
  %723 = getelementptr inbounds nuw i8, ptr %720, i64 32
  %724 = load <8 x float>, ptr %723, align 32
  %725 = fmul <8 x float> %652, %724
  %726 = select i1 %420, <8 x float> %722, <8 x float> %725
  %727 = select i1 %420, <8 x float> %725, <8 x float> %722
  %728 = shufflevector <8 x float> %726, <8 x float> %727, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %729 = shufflevector <8 x float> %726, <8 x float> %727, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %730 = shufflevector <8 x float> %729, <8 x float> %717, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %731 = shufflevector <8 x float> %729, <8 x float> %717, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %732 = shufflevector <8 x float> %728, <8 x float> %716, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %733 = shufflevector <8 x float> %728, <8 x float> %716, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %734 = shufflevector <8 x float> %702, <8 x float> %704, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %735 = shufflevector <8 x float> %702, <8 x float> %704, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %736 = shufflevector <8 x float> %701, <8 x float> %703, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %737 = shufflevector <8 x float> %701, <8 x float> %703, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %738 = shufflevector <8 x float> %730, <8 x float> %737, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %739 = shufflevector <8 x float> %732, <8 x float> %735, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %740 = shufflevector <8 x float> %731, <8 x float> %736, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %741 = shufflevector <8 x float> %731, <8 x float> %736, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %742 = shufflevector <8 x float> %733, <8 x float> %734, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %743 = shufflevector <8 x float> %733, <8 x float> %734, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %744 = shl i64 %677, 3
  %745 = getelementptr i8, ptr %55, i64 %744
  %746 = shufflevector <8 x float> %730, <8 x float> %737, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %747 = getelementptr float, ptr %745, i64 %674
  store <8 x float> %746, ptr %747, align 4
  br i1 %660, label %748, label %770

748:
  %749 = shufflevector <8 x float> %732, <8 x float> %735, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %750 = load i64, ptr %661, align 8
  %751 = getelementptr float, ptr %745, i64 %750
  store <8 x float> %749, ptr %751, align 4
  br i1 %662, label %752, label %770

752:
  %753 = load i64, ptr %663, align 8
  %754 = getelementptr float, ptr %745, i64 %753
  store <8 x float> %740, ptr %754, align 4
  br i1 %664, label %755, label %770

755:
  %756 = load i64, ptr %665, align 8
  %757 = getelementptr float, ptr %745, i64 %756
  store <8 x float> %742, ptr %757, align 4
  br i1 %666, label %758, label %770

758:
  %759 = load i64, ptr %667, align 8
  %760 = getelementptr float, ptr %745, i64 %759
  store <8 x float> %738, ptr %760, align 4
  br i1 %668, label %761, label %770

761:
  %762 = load i64, ptr %669, align 8
  %763 = getelementptr float, ptr %745, i64 %762
  store <8 x float> %739, ptr %763, align 4
  br i1 %670, label %764, label %770

764:
  %765 = load i64, ptr %671, align 8
  %766 = getelementptr float, ptr %745, i64 %765
  store <8 x float> %741, ptr %766, align 4
  br i1 %672, label %767, label %770

767:
  %768 = load i64, ptr %673, align 8
  %769 = getelementptr float, ptr %745, i64 %768
  store <8 x float> %743, ptr %769, align 4
  br label %770

770:
  %771 = add i64 %676, 4
  %772 = icmp sgt i64 %771, %409
  br i1 %772, label %773, label %675

773:
  %774 = phi i64 [ 0, %654 ], [ %676, %770 ]
  %775 = icmp slt i64 %774, %409
  br i1 %775, label %776, label %804

776:
  %777 = phi i64 [ %792, %791 ], [ %774, %773 ]
  %778 = getelementptr inbounds i32, ptr %417, i64 %777
  %779 = load i32, ptr %778, align 4
  %780 = sext i32 %779 to i64
  %781 = getelementptr inbounds %struct.Complex_f32, ptr %657, i64 %780
  %782 = load <8 x float>, ptr %781, align 32
  %783 = getelementptr inbounds nuw i8, ptr %781, i64 32
  %784 = load <8 x float>, ptr %783, align 32
  %785 = fmul <8 x float> %652, %782
  %786 = fmul <8 x float> %652, %784
  %787 = select i1 %420, <8 x float> %786, <8 x float> %785
  %788 = select i1 %420, <8 x float> %785, <8 x float> %786
  %789 = mul i64 %777, %412
  %790 = getelementptr float, ptr %55, i64 %789
  br label %794

791:
  %792 = add nsw i64 %777, 1
  %793 = icmp eq i64 %792, %409
  br i1 %793, label %804, label %776

794:
  %795 = phi i64 [ 0, %776 ], [ %802, %794 ]
  %796 = getelementptr inbounds nuw i64, ptr %655, i64 %795
  %797 = load i64, ptr %796, align 8
  %798 = getelementptr float, ptr %790, i64 %797
  %799 = extractelement <8 x float> %788, i64 %795
  store float %799, ptr %798, align 4
  %800 = extractelement <8 x float> %787, i64 %795
  %801 = getelementptr inbounds float, ptr %798, i64 %414
  store float %800, ptr %801, align 4
  %802 = add nuw nsw i64 %795, 1
  %803 = icmp eq i64 %802, %658
  br i1 %803, label %791, label %794

804:
  %805 = add nsw i64 %656, -8
  %806 = getelementptr inbounds nuw i8, ptr %655, i64 64
  %807 = getelementptr inbounds %struct.Complex_f32, ptr %657, i64 %410
  %808 = icmp sgt i64 %656, 8
  br i1 %808, label %654, label %1150

809:
  %810 = phi i64 [ 0, %367 ], [ %1148, %1146 ]
  %811 = phi i64 [ 0, %367 ], [ %1147, %1146 ]
  %812 = load i64, ptr %89, align 8
  %813 = mul i64 %812, %811
  %814 = getelementptr inbounds %struct.Complex_f32, ptr %4, i64 %813
  %815 = load i64, ptr %368, align 8
  switch i64 %815, label %919 [
    i64 2, label %816
    i64 3, label %862
    i64 4, label %898
  ]

816:
  %817 = load i64, ptr %369, align 8
  %818 = load ptr, ptr %370, align 8
  %819 = load <8 x float>, ptr %814, align 32
  %820 = getelementptr inbounds nuw i8, ptr %814, i64 32
  %821 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %817
  %822 = load <8 x float>, ptr %821, align 32
  %823 = fsub <8 x float> %819, %822
  %824 = fadd <8 x float> %819, %822
  store <8 x float> %823, ptr %814, align 32
  store <8 x float> %824, ptr %820, align 32
  %825 = icmp slt i64 %817, 2
  br i1 %825, label %919, label %826

826:
  %827 = phi i64 [ %860, %826 ], [ 2, %816 ]
  %828 = phi i64 [ %859, %826 ], [ 1, %816 ]
  %829 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %828
  %830 = load <8 x float>, ptr %829, align 32
  %831 = getelementptr inbounds nuw i8, ptr %829, i64 32
  %832 = load <8 x float>, ptr %831, align 32
  %833 = sub i64 %817, %828
  %834 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %833
  %835 = load <8 x float>, ptr %834, align 32
  %836 = getelementptr inbounds nuw i8, ptr %834, i64 32
  %837 = load <8 x float>, ptr %836, align 32
  %838 = fadd <8 x float> %830, %835
  %839 = fsub <8 x float> %832, %837
  %840 = fsub <8 x float> %830, %835
  %841 = fadd <8 x float> %832, %837
  %842 = getelementptr inbounds float, ptr %818, i64 %827
  %843 = load float, ptr %842, align 4
  %844 = insertelement <8 x float> poison, float %843, i64 0
  %845 = shufflevector <8 x float> %844, <8 x float> poison, <8 x i32> zeroinitializer
  %846 = getelementptr i8, ptr %842, i64 4
  %847 = load float, ptr %846, align 4
  %848 = insertelement <8 x float> poison, float %847, i64 0
  %849 = shufflevector <8 x float> %848, <8 x float> poison, <8 x i32> zeroinitializer
  %850 = fmul <8 x float> %841, %849
  %851 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %840, <8 x float> %845, <8 x float> %850)
  %852 = fneg <8 x float> %849
  %853 = fmul <8 x float> %840, %852
  %854 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %841, <8 x float> %845, <8 x float> %853)
  %855 = fadd <8 x float> %839, %851
  %856 = fsub <8 x float> %838, %854
  store <8 x float> %855, ptr %829, align 32
  store <8 x float> %856, ptr %831, align 32
  %857 = fsub <8 x float> %851, %839
  %858 = fadd <8 x float> %838, %854
  store <8 x float> %857, ptr %834, align 32
  store <8 x float> %858, ptr %836, align 32
  %859 = add i64 %828, 1
  %860 = shl i64 %859, 1
  %861 = icmp sgt i64 %860, %817
  br i1 %861, label %919, label %826

862:
  %863 = getelementptr inbounds i64, ptr %6, i64 %810
  %864 = load i64, ptr %369, align 8
  %865 = sdiv i64 %864, 2
  %866 = icmp sgt i64 %864, 1
  br i1 %866, label %871, label %867

867:
  %868 = load i64, ptr %91, align 8
  %869 = mul i64 %868, %865
  %870 = getelementptr float, ptr %43, i64 %869
  br label %884

871:
  %872 = phi i64 [ %873, %871 ], [ %865, %862 ]
  %873 = add nsw i64 %872, -1
  %874 = getelementptr inbounds nuw %struct.Complex_f32, ptr %814, i64 %873
  %875 = load <8 x float>, ptr %874, align 32
  %876 = getelementptr inbounds nuw i8, ptr %874, i64 32
  %877 = load <8 x float>, ptr %876, align 32
  %878 = shl nuw nsw i64 %873, 7
  %879 = getelementptr inbounds nuw i8, ptr %814, i64 %878
  %880 = getelementptr inbounds nuw i8, ptr %879, i64 64
  store <8 x float> %877, ptr %880, align 32
  %881 = getelementptr inbounds nuw i8, ptr %879, i64 96
  store <8 x float> zeroinitializer, ptr %881, align 32
  store <8 x float> %875, ptr %879, align 32
  %882 = getelementptr inbounds nuw i8, ptr %879, i64 32
  store <8 x float> zeroinitializer, ptr %882, align 32
  %883 = icmp sgt i64 %872, 1
  br i1 %883, label %871, label %867

884:
  %885 = phi i64 [ 0, %867 ], [ %892, %884 ]
  %886 = phi <8 x float> [ zeroinitializer, %867 ], [ %891, %884 ]
  %887 = getelementptr inbounds nuw i64, ptr %863, i64 %885
  %888 = load i64, ptr %887, align 8
  %889 = getelementptr float, ptr %870, i64 %888
  %890 = load float, ptr %889, align 4
  %891 = insertelement <8 x float> %886, float %890, i64 %885
  %892 = add nuw nsw i64 %885, 1
  %893 = icmp eq i64 %892, 8
  br i1 %893, label %894, label %884

894:
  %895 = getelementptr %struct.Complex_f32, ptr %814, i64 %864
  %896 = getelementptr i8, ptr %895, i64 -64
  store <8 x float> %891, ptr %896, align 32
  %897 = getelementptr i8, ptr %895, i64 -32
  store <8 x float> zeroinitializer, ptr %897, align 32
  br label %919

898:
  %899 = load i64, ptr %369, align 8
  %900 = load <8 x float>, ptr %814, align 32
  store <8 x float> zeroinitializer, ptr %814, align 32
  %901 = getelementptr inbounds nuw i8, ptr %814, i64 32
  store <8 x float> %900, ptr %901, align 32
  %902 = icmp sgt i64 %899, 2
  br i1 %902, label %903, label %919

903:
  %904 = add nsw i64 %899, -3
  %905 = lshr i64 %904, 1
  %906 = add nuw nsw i64 %905, 1
  br label %907

907:
  %908 = phi i64 [ %917, %907 ], [ 1, %903 ]
  %909 = getelementptr inbounds nuw %struct.Complex_f32, ptr %814, i64 %908
  %910 = load <8 x float>, ptr %909, align 32
  %911 = getelementptr inbounds nuw i8, ptr %909, i64 32
  %912 = load <8 x float>, ptr %911, align 32
  store <8 x float> %912, ptr %909, align 32
  store <8 x float> %910, ptr %911, align 32
  %913 = sub nsw i64 %899, %908
  %914 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %913
  %915 = fneg <8 x float> %912
  store <8 x float> %915, ptr %914, align 32
  %916 = getelementptr inbounds nuw i8, ptr %914, i64 32
  store <8 x float> %910, ptr %916, align 32
  %917 = add nuw nsw i64 %908, 1
  %918 = icmp eq i64 %908, %906
  br i1 %918, label %919, label %907

919:
  %920 = load ptr, ptr %371, align 8
  %921 = icmp eq ptr %920, null
  br i1 %921, label %1019, label %922

922:
  %923 = load i64, ptr %369, align 8
  %924 = load i64, ptr %372, align 8
  %925 = load ptr, ptr %373, align 8
  %926 = load ptr, ptr %374, align 8
  %927 = icmp sgt i64 %923, 0
  br i1 %927, label %930, label %928

928:
  %929 = icmp slt i64 %923, %924
  br i1 %929, label %957, label %954

930:
  %931 = phi i64 [ %952, %930 ], [ 0, %922 ]
  %932 = getelementptr inbounds nuw %struct.Complex_f32, ptr %814, i64 %931
  %933 = shl i64 %931, 3
  %934 = getelementptr inbounds i8, ptr %920, i64 %933
  %935 = load <8 x float>, ptr %932, align 32
  %936 = getelementptr inbounds nuw i8, ptr %932, i64 32
  %937 = load <8 x float>, ptr %936, align 32
  %938 = load float, ptr %934, align 4
  %939 = insertelement <8 x float> poison, float %938, i64 0
  %940 = shufflevector <8 x float> %939, <8 x float> poison, <8 x i32> zeroinitializer
  %941 = getelementptr inbounds nuw i8, ptr %934, i64 4
  %942 = load float, ptr %941, align 4
  %943 = insertelement <8 x float> poison, float %942, i64 0
  %944 = fneg float %942
  %945 = insertelement <8 x float> poison, float %944, i64 0
  %946 = shufflevector <8 x float> %945, <8 x float> poison, <8 x i32> zeroinitializer
  %947 = fmul <8 x float> %937, %946
  %948 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %935, <8 x float> %940, <8 x float> %947)
  %949 = shufflevector <8 x float> %943, <8 x float> poison, <8 x i32> zeroinitializer
  %950 = fmul <8 x float> %935, %949
  %951 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %937, <8 x float> %940, <8 x float> %950)
  store <8 x float> %948, ptr %932, align 32
  store <8 x float> %951, ptr %936, align 32
  %952 = add nuw nsw i64 %931, 1
  %953 = icmp eq i64 %952, %923
  br i1 %953, label %928, label %930

954:
  tail call fastcc void @stages_f32(ptr %0, ptr %814)
  %955 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %924
  %956 = icmp sgt i64 %924, 0
  br i1 %956, label %963, label %962

957:
  %958 = phi i64 [ %960, %957 ], [ %923, %928 ]
  %959 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %958
  tail call void @llvm.memset.p0.i64(ptr align 32 %959, i8 0, i64 64, i1 false)
  %960 = add nsw i64 %958, 1
  %961 = icmp eq i64 %960, %924
  br i1 %961, label %954, label %957

962:
  tail call fastcc void @stages_f32(ptr %0, ptr %955)
  br i1 %927, label %992, label %1020

963:
  %964 = phi i64 [ %990, %963 ], [ 0, %954 ]
  %965 = getelementptr inbounds nuw %struct.Complex_f32, ptr %955, i64 %964
  %966 = getelementptr inbounds nuw i32, ptr %926, i64 %964
  %967 = load i32, ptr %966, align 4
  %968 = sext i32 %967 to i64
  %969 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %968
  %970 = shl i64 %964, 3
  %971 = getelementptr inbounds i8, ptr %925, i64 %970
  %972 = load <8 x float>, ptr %969, align 32
  %973 = getelementptr inbounds nuw i8, ptr %969, i64 32
  %974 = load <8 x float>, ptr %973, align 32
  %975 = load float, ptr %971, align 4
  %976 = insertelement <8 x float> poison, float %975, i64 0
  %977 = shufflevector <8 x float> %976, <8 x float> poison, <8 x i32> zeroinitializer
  %978 = getelementptr inbounds nuw i8, ptr %971, i64 4
  %979 = load float, ptr %978, align 4
  %980 = insertelement <8 x float> poison, float %979, i64 0
  %981 = fneg float %979
  %982 = insertelement <8 x float> poison, float %981, i64 0
  %983 = shufflevector <8 x float> %982, <8 x float> poison, <8 x i32> zeroinitializer
  %984 = fmul <8 x float> %974, %983
  %985 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %972, <8 x float> %977, <8 x float> %984)
  %986 = shufflevector <8 x float> %980, <8 x float> poison, <8 x i32> zeroinitializer
  %987 = fmul <8 x float> %972, %986
  %988 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %974, <8 x float> %977, <8 x float> %987)
  store <8 x float> %988, ptr %965, align 32
  %989 = getelementptr inbounds nuw i8, ptr %965, i64 32
  store <8 x float> %985, ptr %989, align 32
  %990 = add nuw nsw i64 %964, 1
  %991 = icmp eq i64 %990, %924
  br i1 %991, label %962, label %963

992:
  %993 = phi i64 [ %1017, %992 ], [ 0, %962 ]
  %994 = getelementptr inbounds nuw i32, ptr %926, i64 %993
  %995 = load i32, ptr %994, align 4
  %996 = sext i32 %995 to i64
  %997 = getelementptr inbounds %struct.Complex_f32, ptr %955, i64 %996
  %998 = load <8 x float>, ptr %997, align 32
  %999 = getelementptr inbounds nuw i8, ptr %997, i64 32
  %1000 = load <8 x float>, ptr %999, align 32
  %1001 = shl i64 %993, 3
  %1002 = getelementptr inbounds i8, ptr %920, i64 %1001
  %1003 = load float, ptr %1002, align 4
  %1004 = insertelement <8 x float> poison, float %1003, i64 0
  %1005 = shufflevector <8 x float> %1004, <8 x float> poison, <8 x i32> zeroinitializer
  %1006 = getelementptr inbounds nuw i8, ptr %1002, i64 4
  %1007 = load float, ptr %1006, align 4
  %1008 = insertelement <8 x float> poison, float %1007, i64 0
  %1009 = fneg float %1007
  %1010 = insertelement <8 x float> poison, float %1009, i64 0
  %1011 = shufflevector <8 x float> %1010, <8 x float> poison, <8 x i32> zeroinitializer
  %1012 = fmul <8 x float> %998, %1011
  %1013 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1000, <8 x float> %1005, <8 x float> %1012)
  %1014 = shufflevector <8 x float> %1008, <8 x float> poison, <8 x i32> zeroinitializer
  %1015 = fmul <8 x float> %1000, %1014
  %1016 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %998, <8 x float> %1005, <8 x float> %1015)
  store <8 x float> %1013, ptr %997, align 32
  store <8 x float> %1016, ptr %999, align 32
  %1017 = add nuw nsw i64 %993, 1
  %1018 = icmp eq i64 %1017, %923
  br i1 %1018, label %1020, label %992

1019:
  tail call fastcc void @stages_f32(ptr %0, ptr %814)
  br label %1020

1020:
  %1021 = load i64, ptr %368, align 8
  switch i64 %1021, label %1146 [
    i64 1, label %1022
    i64 4, label %1092
  ]

1022:
  %1023 = load i64, ptr %369, align 8
  %1024 = load ptr, ptr %375, align 8
  %1025 = load ptr, ptr %370, align 8
  %1026 = load i32, ptr %1024, align 4
  %1027 = sext i32 %1026 to i64
  %1028 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %1027
  %1029 = load <8 x float>, ptr %1028, align 32
  %1030 = getelementptr inbounds nuw i8, ptr %1028, i64 32
  %1031 = load <8 x float>, ptr %1030, align 32
  %1032 = fadd <8 x float> %1029, %1031
  store <8 x float> %1032, ptr %1028, align 32
  store <8 x float> zeroinitializer, ptr %1030, align 32
  %1033 = getelementptr inbounds i32, ptr %1024, i64 %1023
  %1034 = load i32, ptr %1033, align 4
  %1035 = sext i32 %1034 to i64
  %1036 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %1035
  %1037 = fsub <8 x float> %1029, %1031
  store <8 x float> %1037, ptr %1036, align 32
  %1038 = getelementptr inbounds nuw i8, ptr %1036, i64 32
  store <8 x float> zeroinitializer, ptr %1038, align 32
  %1039 = icmp slt i64 %1023, 2
  br i1 %1039, label %1146, label %1040

1040:
  %1041 = phi i64 [ %1090, %1040 ], [ 2, %1022 ]
  %1042 = phi i64 [ %1089, %1040 ], [ 1, %1022 ]
  %1043 = getelementptr inbounds i32, ptr %1024, i64 %1042
  %1044 = load i32, ptr %1043, align 4
  %1045 = sext i32 %1044 to i64
  %1046 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %1045
  %1047 = load <8 x float>, ptr %1046, align 32
  %1048 = getelementptr inbounds nuw i8, ptr %1046, i64 32
  %1049 = load <8 x float>, ptr %1048, align 32
  %1050 = sub i64 %1023, %1042
  %1051 = getelementptr inbounds i32, ptr %1024, i64 %1050
  %1052 = load i32, ptr %1051, align 4
  %1053 = sext i32 %1052 to i64
  %1054 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %1053
  %1055 = load <8 x float>, ptr %1054, align 32
  %1056 = getelementptr inbounds nuw i8, ptr %1054, i64 32
  %1057 = load <8 x float>, ptr %1056, align 32
  %1058 = fadd <8 x float> %1047, %1055
  %1059 = fsub <8 x float> %1049, %1057
  %1060 = fmul <8 x float> %1058, splat (float 5.000000e-01)
  %1061 = fmul <8 x float> %1059, splat (float 5.000000e-01)
  %1062 = fadd <8 x float> %1049, %1057
  %1063 = fmul <8 x float> %1062, splat (float 5.000000e-01)
  %1064 = fsub <8 x float> %1055, %1047
  %1065 = fmul <8 x float> %1064, splat (float 5.000000e-01)
  %1066 = getelementptr inbounds float, ptr %1025, i64 %1041
  %1067 = load float, ptr %1066, align 4
  %1068 = insertelement <8 x float> poison, float %1067, i64 0
  %1069 = shufflevector <8 x float> %1068, <8 x float> poison, <8 x i32> zeroinitializer
  %1070 = getelementptr inbounds nuw i8, ptr %1066, i64 4
  %1071 = load float, ptr %1070, align 4
  %1072 = insertelement <8 x float> poison, float %1071, i64 0
  %1073 = fneg float %1071
  %1074 = insertelement <8 x float> poison, float %1073, i64 0
  %1075 = shufflevector <8 x float> %1074, <8 x float> poison, <8 x i32> zeroinitializer
  %1076 = fmul <8 x float> %1065, %1075
  %1077 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1063, <8 x float> %1069, <8 x float> %1076)
  %1078 = shufflevector <8 x float> %1072, <8 x float> poison, <8 x i32> zeroinitializer
  %1079 = fmul <8 x float> %1063, %1078
  %1080 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1065, <8 x float> %1069, <8 x float> %1079)
  %1081 = fadd <8 x float> %1060, %1077
  %1082 = fadd <8 x float> %1061, %1080
  store <8 x float> %1081, ptr %1046, align 32
  store <8 x float> %1082, ptr %1048, align 32
  %1083 = load i32, ptr %1051, align 4
  %1084 = sext i32 %1083 to i64
  %1085 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %1084
  %1086 = fsub <8 x float> %1060, %1077
  %1087 = fsub <8 x float> %1080, %1061
  store <8 x float> %1086, ptr %1085, align 32
  %1088 = getelementptr inbounds nuw i8, ptr %1085, i64 32
  store <8 x float> %1087, ptr %1088, align 32
  %1089 = add i64 %1042, 1
  %1090 = shl i64 %1089, 1
  %1091 = icmp sgt i64 %1090, %1023
  br i1 %1091, label %1146, label %1040

1092:
  %1093 = getelementptr inbounds i64, ptr %7, i64 %810
  %1094 = sub i64 %66, %810
  %1095 = load i64, ptr %369, align 8
  %1096 = load ptr, ptr %375, align 8
  %1097 = getelementptr i32, ptr %1096, i64 %1095
  %1098 = getelementptr i8, ptr %1097, i64 -4
  %1099 = load i32, ptr %1098, align 4
  %1100 = sext i32 %1099 to i64
  %1101 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %1100
  %1102 = getelementptr inbounds nuw i8, ptr %1101, i64 32
  %1103 = load <8 x float>, ptr %1102, align 32
  %1104 = load double, ptr %376, align 8
  %1105 = fptrunc double %1104 to float
  %1106 = tail call i64 @llvm.smin.i64(i64 %1094, i64 8)
  %1107 = icmp sgt i64 %1094, 0
  %1108 = sdiv i64 %1095, 2
  br i1 %1107, label %1111, label %1109

1109:
  %1110 = icmp sgt i64 %1095, 1
  br i1 %1110, label %1123, label %1146

1111:
  %1112 = phi i64 [ %1121, %1111 ], [ 0, %1092 ]
  %1113 = extractelement <8 x float> %1103, i64 %1112
  %1114 = fmul float %1113, %1105
  %1115 = getelementptr inbounds nuw i64, ptr %1093, i64 %1112
  %1116 = load i64, ptr %1115, align 8
  %1117 = load i64, ptr %377, align 8
  %1118 = mul i64 %1117, %1108
  %1119 = getelementptr float, ptr %55, i64 %1116
  %1120 = getelementptr float, ptr %1119, i64 %1118
  store float %1114, ptr %1120, align 4
  %1121 = add nuw nsw i64 %1112, 1
  %1122 = icmp eq i64 %1121, %1106
  br i1 %1122, label %1109, label %1111

1123:
  %1124 = phi i64 [ %1144, %1123 ], [ 0, %1109 ]
  %1125 = load ptr, ptr %378, align 8
  %1126 = getelementptr inbounds nuw i32, ptr %1125, i64 %1124
  %1127 = load i32, ptr %1126, align 4
  %1128 = sext i32 %1127 to i64
  %1129 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %1128
  %1130 = shl i64 %1124, 3
  %1131 = getelementptr inbounds i8, ptr %1096, i64 %1130
  %1132 = load i32, ptr %1131, align 4
  %1133 = sext i32 %1132 to i64
  %1134 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %1133
  %1135 = getelementptr inbounds nuw i8, ptr %1134, i64 32
  %1136 = load <8 x float>, ptr %1135, align 32
  %1137 = getelementptr i8, ptr %1131, i64 4
  %1138 = load i32, ptr %1137, align 4
  %1139 = sext i32 %1138 to i64
  %1140 = getelementptr inbounds %struct.Complex_f32, ptr %814, i64 %1139
  %1141 = getelementptr inbounds nuw i8, ptr %1140, i64 32
  %1142 = load <8 x float>, ptr %1141, align 32
  store <8 x float> %1136, ptr %1129, align 32
  %1143 = getelementptr inbounds nuw i8, ptr %1129, i64 32
  store <8 x float> %1142, ptr %1143, align 32
  %1144 = add nuw nsw i64 %1124, 1
  %1145 = icmp eq i64 %1144, %1108
  br i1 %1145, label %1146, label %1123

1146:
  %1147 = add nuw nsw i64 %811, 1
  %1148 = shl i64 %1147, 3
  %1149 = icmp eq i64 %811, %380
  br i1 %1149, label %405, label %809

1150:
  br label %1335

1151:
  %1152 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %1153 = load i64, ptr %1152, align 8
  %1154 = shl i64 %57, 8
  %1155 = add i64 %1154, 256
  %1156 = sdiv i64 %1153, 2
  %1157 = add nsw i64 %1156, 1
  %1158 = tail call i64 @llvm.smin.i64(i64 %1155, i64 %1157)
  %1159 = getelementptr inbounds nuw i8, ptr %0, i64 280
  %1160 = load ptr, ptr %1159, align 8
  %1161 = getelementptr inbounds nuw i8, ptr %0, i64 288
  %1162 = load ptr, ptr %1161, align 8
  %1163 = shl i64 %57, 3
  %1164 = getelementptr inbounds i8, ptr %1162, i64 %1163
  %1165 = icmp eq i64 %8, 1
  %1166 = icmp eq i64 %1154, 0
  br i1 %1166, label %1167, label %1181

1167:
  %1168 = load float, ptr %43, align 4
  %1169 = shl i64 %1153, 3
  %1170 = select i1 %1165, i64 4, i64 %1169
  %1171 = getelementptr inbounds i8, ptr %43, i64 %1170
  %1172 = load float, ptr %1171, align 4
  %1173 = fadd float %1168, %1172
  %1174 = fsub float %1168, %1172
  %1175 = select i1 %1165, float %1173, float %1174
  store float %1175, ptr %55, align 4
  %1176 = select i1 %1165, float 0.000000e+00, float %1173
  %1177 = getelementptr inbounds nuw i8, ptr %55, i64 4
  store float %1176, ptr %1177, align 4
  br i1 %1165, label %1178, label %1181

1178:
  %1179 = getelementptr inbounds i8, ptr %55, i64 %1169
  store float %1174, ptr %1179, align 4
  %1180 = getelementptr i8, ptr %1179, i64 4
  store float 0.000000e+00, ptr %1180, align 4
  br label %1181

1181:
  %1182 = phi i64 [ %1154, %1151 ], [ 1, %1178 ], [ 1, %1167 ]
  %1183 = icmp slt i64 %1182, %1158
  br i1 %1183, label %1184, label %1335

1184:
  %1185 = getelementptr inbounds nuw i8, ptr %1164, i64 4
  br label %1186

1186:
  %1187 = phi i64 [ %1182, %1184 ], [ %1195, %1333 ]
  %1188 = add nsw i64 %1187, 8
  %1189 = icmp sle i64 %1188, %1158
  %1190 = shl i64 %1187, 1
  %1191 = add i64 %1190, 14
  %1192 = icmp slt i64 %1191, %1153
  %1193 = select i1 %1189, i1 %1192, i1 false
  %1194 = select i1 %1193, i64 8, i64 1
  %1195 = add nsw i64 %1194, %1187
  %1196 = sub i64 %1153, %1195
  %1197 = add i64 %1196, 1
  %1198 = sub i64 %1187, %1154
  %1199 = shl i64 %1198, 3
  %1200 = getelementptr inbounds i8, ptr %1160, i64 %1199
  br i1 %1193, label %1201, label %1234

1201:
  %1202 = shl i64 %1187, 3
  %1203 = getelementptr inbounds i8, ptr %43, i64 %1202
  %1204 = load <8 x float>, ptr %1203, align 4
  %1205 = getelementptr inbounds nuw i8, ptr %1203, i64 32
  %1206 = load <8 x float>, ptr %1205, align 4
  %1207 = shufflevector <8 x float> %1204, <8 x float> %1206, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %1208 = shufflevector <8 x float> %1204, <8 x float> %1206, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %1209 = shl i64 %1197, 3
  %1210 = getelementptr inbounds i8, ptr %43, i64 %1209
  %1211 = load <8 x float>, ptr %1210, align 4
  %1212 = getelementptr inbounds nuw i8, ptr %1210, i64 32
  %1213 = load <8 x float>, ptr %1212, align 4
  %1214 = shufflevector <8 x float> %1213, <8 x float> %1211, <8 x i32> <i32 6, i32 4, i32 2, i32 0, i32 14, i32 12, i32 10, i32 8>
  %1215 = shufflevector <8 x float> %1213, <8 x float> %1211, <8 x i32> <i32 7, i32 5, i32 3, i32 1, i32 15, i32 13, i32 11, i32 9>
  %1216 = load <8 x float>, ptr %1200, align 4
  %1217 = getelementptr inbounds nuw i8, ptr %1200, i64 32
  %1218 = load <8 x float>, ptr %1217, align 4
  %1219 = shufflevector <8 x float> %1216, <8 x float> %1218, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %1220 = shufflevector <8 x float> %1216, <8 x float> %1218, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %1221 = load float, ptr %1164, align 4
  %1222 = insertelement <8 x float> poison, float %1221, i64 0
  %1223 = shufflevector <8 x float> %1222, <8 x float> poison, <8 x i32> zeroinitializer
  %1224 = load float, ptr %1185, align 4
  %1225 = insertelement <8 x float> poison, float %1224, i64 0
  %1226 = fneg float %1224
  %1227 = insertelement <8 x float> poison, float %1226, i64 0
  %1228 = shufflevector <8 x float> %1227, <8 x float> poison, <8 x i32> zeroinitializer
  %1229 = fmul <8 x float> %1220, %1228
  %1230 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1219, <8 x float> %1223, <8 x float> %1229)
  %1231 = shufflevector <8 x float> %1225, <8 x float> poison, <8 x i32> zeroinitializer
  %1232 = fmul <8 x float> %1219, %1231
  %1233 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1220, <8 x float> %1223, <8 x float> %1232)
  br label %1272

1234:
  %1235 = getelementptr inbounds float, ptr %43, i64 %1190
  %1236 = load float, ptr %1235, align 4
  %1237 = fadd float %1236, 0.000000e+00
  %1238 = insertelement <8 x float> poison, float %1237, i64 0
  %1239 = shufflevector <8 x float> %1238, <8 x float> poison, <8 x i32> zeroinitializer
  %1240 = getelementptr i8, ptr %1235, i64 4
  %1241 = load float, ptr %1240, align 4
  %1242 = fadd float %1241, 0.000000e+00
  %1243 = insertelement <8 x float> poison, float %1242, i64 0
  %1244 = shufflevector <8 x float> %1243, <8 x float> poison, <8 x i32> zeroinitializer
  %1245 = shl i64 %1197, 3
  %1246 = getelementptr inbounds i8, ptr %43, i64 %1245
  %1247 = load float, ptr %1246, align 4
  %1248 = fadd float %1247, 0.000000e+00
  %1249 = insertelement <8 x float> poison, float %1248, i64 0
  %1250 = shufflevector <8 x float> %1249, <8 x float> poison, <8 x i32> zeroinitializer
  %1251 = getelementptr i8, ptr %1246, i64 4
  %1252 = load float, ptr %1251, align 4
  %1253 = fadd float %1252, 0.000000e+00
  %1254 = insertelement <8 x float> poison, float %1253, i64 0
  %1255 = shufflevector <8 x float> %1254, <8 x float> poison, <8 x i32> zeroinitializer
  %1256 = load float, ptr %1200, align 4
  %1257 = fadd float %1256, 0.000000e+00
  %1258 = getelementptr inbounds nuw i8, ptr %1200, i64 4
  %1259 = load float, ptr %1258, align 4
  %1260 = fadd float %1259, 0.000000e+00
  %1261 = load float, ptr %1164, align 4
  %1262 = load float, ptr %1185, align 4
  %1263 = fneg float %1262
  %1264 = fmul float %1260, %1263
  %1265 = tail call float @llvm.fmuladd.f32(float %1257, float %1261, float %1264)
  %1266 = insertelement <8 x float> poison, float %1265, i64 0
  %1267 = shufflevector <8 x float> %1266, <8 x float> poison, <8 x i32> zeroinitializer
  %1268 = fmul float %1257, %1262
  %1269 = tail call float @llvm.fmuladd.f32(float %1260, float %1261, float %1268)
  %1270 = insertelement <8 x float> poison, float %1269, i64 0
  %1271 = shufflevector <8 x float> %1270, <8 x float> poison, <8 x i32> zeroinitializer
  br label %1272

1272:
  %1273 = phi <8 x float> [ %1230, %1201 ], [ %1267, %1234 ]
  %1274 = phi <8 x float> [ %1233, %1201 ], [ %1271, %1234 ]
  %1275 = phi <8 x float> [ %1214, %1201 ], [ %1250, %1234 ]
  %1276 = phi <8 x float> [ %1215, %1201 ], [ %1255, %1234 ]
  %1277 = phi <8 x float> [ %1207, %1201 ], [ %1239, %1234 ]
  %1278 = phi <8 x float> [ %1208, %1201 ], [ %1244, %1234 ]
  %1279 = fadd <8 x float> %1275, %1277
  %1280 = fsub <8 x float> %1278, %1276
  br i1 %1165, label %1281, label %1297

1281:
  %1282 = fadd <8 x float> %1276, %1278
  %1283 = fsub <8 x float> %1275, %1277
  %1284 = fneg <8 x float> %1274
  %1285 = fmul <8 x float> %1283, %1284
  %1286 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1282, <8 x float> %1273, <8 x float> %1285)
  %1287 = fmul <8 x float> %1274, %1282
  %1288 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1283, <8 x float> %1273, <8 x float> %1287)
  %1289 = fadd <8 x float> %1279, %1286
  %1290 = fadd <8 x float> %1280, %1288
  %1291 = fmul <8 x float> %1289, splat (float 5.000000e-01)
  %1292 = fmul <8 x float> %1290, splat (float 5.000000e-01)
  %1293 = fsub <8 x float> %1279, %1286
  %1294 = fsub <8 x float> %1288, %1280
  %1295 = fmul <8 x float> %1293, splat (float 5.000000e-01)
  %1296 = fmul <8 x float> %1294, splat (float 5.000000e-01)
  br label %1309

1297:
  %1298 = fsub <8 x float> %1277, %1275
  %1299 = fadd <8 x float> %1276, %1278
  %1300 = fmul <8 x float> %1274, %1299
  %1301 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1298, <8 x float> %1273, <8 x float> %1300)
  %1302 = fneg <8 x float> %1274
  %1303 = fmul <8 x float> %1298, %1302
  %1304 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1299, <8 x float> %1273, <8 x float> %1303)
  %1305 = fadd <8 x float> %1280, %1301
  %1306 = fsub <8 x float> %1279, %1304
  %1307 = fsub <8 x float> %1301, %1280
  %1308 = fadd <8 x float> %1279, %1304
  br label %1309

1309:
  %1310 = phi <8 x float> [ %1295, %1281 ], [ %1307, %1297 ]
  %1311 = phi <8 x float> [ %1296, %1281 ], [ %1308, %1297 ]
  %1312 = phi <8 x float> [ %1291, %1281 ], [ %1305, %1297 ]
  %1313 = phi <8 x float> [ %1292, %1281 ], [ %1306, %1297 ]
  %1314 = shl i64 %1197, 3
  %1315 = getelementptr inbounds i8, ptr %55, i64 %1314
  br i1 %1193, label %1316, label %1325

1316:
  %1317 = shl i64 %1187, 3
  %1318 = getelementptr inbounds i8, ptr %55, i64 %1317
  %1319 = shufflevector <8 x float> %1312, <8 x float> %1313, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  store <8 x float> %1319, ptr %1318, align 4
  %1320 = shufflevector <8 x float> %1312, <8 x float> %1313, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  %1321 = getelementptr inbounds nuw i8, ptr %1318, i64 32
  store <8 x float> %1320, ptr %1321, align 4
  %1322 = shufflevector <8 x float> %1310, <8 x float> %1311, <8 x i32> <i32 7, i32 15, i32 6, i32 14, i32 5, i32 13, i32 4, i32 12>
  store <8 x float> %1322, ptr %1315, align 4
  %1323 = shufflevector <8 x float> %1310, <8 x float> %1311, <8 x i32> <i32 3, i32 11, i32 2, i32 10, i32 1, i32 9, i32 0, i32 8>
  %1324 = getelementptr inbounds nuw i8, ptr %1315, i64 32
  store <8 x float> %1323, ptr %1324, align 4
  br label %1333

1325:
  %1326 = extractelement <8 x float> %1312, i64 0
  %1327 = getelementptr inbounds float, ptr %55, i64 %1190
  store float %1326, ptr %1327, align 4
  %1328 = extractelement <8 x float> %1313, i64 0
  %1329 = getelementptr i8, ptr %1327, i64 4
  store float %1328, ptr %1329, align 4
  %1330 = extractelement <8 x float> %1310, i64 0
  store float %1330, ptr %1315, align 4
  %1331 = extractelement <8 x float> %1311, i64 0
  %1332 = getelementptr i8, ptr %1315, i64 4
  store float %1331, ptr %1332, align 4
  br label %1333

1333:
  %1334 = icmp slt i64 %1195, %1158
  br i1 %1334, label %1186, label %1335

1335:
  ret void
}

define void @transform_f64(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [4 x ptr], align 16
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %11 = load i64, ptr %10, align 8
  %12 = icmp sgt i64 %11, 1
  br i1 %12, label %13, label %24

13:
  %14 = phi i64 [ %22, %18 ], [ 0, %4 ]
  %15 = getelementptr inbounds i32, ptr %9, i64 %14
  %16 = atomicrmw xchg ptr %15, i32 1 acquire, align 4
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %24, label %18

18:
  %19 = add i64 %14, 1
  %20 = load i64, ptr %10, align 8
  %21 = icmp slt i64 %19, %20
  %22 = select i1 %21, i64 %19, i64 0
  %23 = icmp sgt i64 %20, 1
  br i1 %23, label %13, label %24

24:
  %25 = phi i64 [ 0, %4 ], [ %22, %18 ], [ %14, %13 ]
  %26 = load ptr, ptr %0, align 8
  store ptr %26, ptr %5, align 16
  %27 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %29 = load ptr, ptr %28, align 8
  store ptr %29, ptr %27, align 8
  %30 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %32 = load ptr, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %34 = load i64, ptr %33, align 8
  %35 = mul i64 %34, %25
  %36 = getelementptr inbounds i8, ptr %32, i64 %35
  store ptr %36, ptr %30, align 16
  %37 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %39 = load ptr, ptr %38, align 8
  %40 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %41 = load i64, ptr %40, align 8
  %42 = mul i64 %41, %25
  %43 = getelementptr inbounds i8, ptr %39, i64 %42
  store ptr %43, ptr %37, align 8
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %45 = load ptr, ptr %44, align 8
  %46 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %47 = load i64, ptr %46, align 8
  %48 = mul i64 %47, %25
  %49 = getelementptr inbounds i8, ptr %45, i64 %48
  %50 = icmp slt i64 %1, %2
  br i1 %50, label %51, label %54

51:
  %52 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %53 = getelementptr inbounds nuw i8, ptr %7, i64 48
  br label %57

54:
  %55 = load i64, ptr %10, align 8
  %56 = icmp sgt i64 %55, 1
  br i1 %56, label %108, label %110

57:
  %58 = phi i64 [ %1, %51 ], [ %106, %105 ]
  %59 = load i64, ptr %52, align 8
  %60 = icmp eq i64 %59, 0
  br i1 %60, label %61, label %64

61:
  %62 = load i64, ptr %7, align 8
  %63 = icmp sgt i64 %62, 0
  br i1 %63, label %68, label %105

64:
  %65 = load ptr, ptr %53, align 8
  %66 = sdiv i64 %58, %59
  %67 = srem i64 %58, %59
  call fastcc void @step_f64(ptr %65, i64 %66, i64 %67, ptr %5, ptr %49)
  br label %105

68:
  %69 = phi i64 [ %97, %96 ], [ %62, %61 ]
  %70 = phi i64 [ %98, %96 ], [ 0, %61 ]
  %71 = getelementptr inbounds nuw ptr, ptr %53, i64 %70
  %72 = load ptr, ptr %71, align 8
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 24
  %74 = load i64, ptr %73, align 8
  %75 = load i64, ptr %72, align 8
  %76 = icmp eq i64 %75, 0
  br i1 %76, label %77, label %85

77:
  %78 = getelementptr inbounds nuw i8, ptr %72, i64 32
  %79 = load i64, ptr %78, align 8
  %80 = add i64 %79, -1
  %81 = getelementptr inbounds nuw i8, ptr %72, i64 48
  %82 = load i64, ptr %81, align 8
  %83 = shl i64 %82, 2
  %84 = sdiv i64 %80, %83
  br label %89

85:
  %86 = getelementptr inbounds nuw i8, ptr %72, i64 8
  %87 = load i64, ptr %86, align 8
  %88 = sdiv i64 %87, 512
  br label %89

89:
  %90 = phi i64 [ %84, %77 ], [ %88, %85 ]
  %91 = add i64 %90, 1
  %92 = mul i64 %91, %74
  %93 = icmp sgt i64 %92, 0
  br i1 %93, label %100, label %96

94:
  %95 = load i64, ptr %7, align 8
  br label %96

96:
  %97 = phi i64 [ %95, %94 ], [ %69, %89 ]
  %98 = add nuw nsw i64 %70, 1
  %99 = icmp slt i64 %98, %97
  br i1 %99, label %68, label %105

100:
  %101 = phi i64 [ %103, %100 ], [ 0, %89 ]
  %102 = load ptr, ptr %71, align 8
  call fastcc void @step_f64(ptr %102, i64 %58, i64 %101, ptr %5, ptr %49)
  %103 = add nuw nsw i64 %101, 1
  %104 = icmp eq i64 %103, %92
  br i1 %104, label %94, label %100

105:
  %106 = add nsw i64 %58, 1
  %107 = icmp eq i64 %106, %2
  br i1 %107, label %54, label %57

108:
  %109 = getelementptr inbounds i32, ptr %9, i64 %25
  store atomic i32 0, ptr %109 release, align 4
  br label %110

110:
  ret void
}

define internal fastcc void @step_f64(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4) nounwind {
  %6 = alloca [32 x i64], align 16
  %7 = alloca [32 x i64], align 16
  %8 = load i64, ptr %0, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %10, label %18

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %12 = load i64, ptr %11, align 8
  %13 = add i64 %12, -1
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %15 = load i64, ptr %14, align 8
  %16 = shl i64 %15, 2
  %17 = sdiv i64 %13, %16
  br label %22

18:
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %20 = load i64, ptr %19, align 8
  %21 = sdiv i64 %20, 512
  br label %22

22:
  %23 = phi i64 [ %17, %10 ], [ %21, %18 ]
  %24 = add i64 %23, 1
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %26 = load i64, ptr %25, align 8
  %27 = icmp eq i64 %26, 1
  br i1 %27, label %30, label %28

28:
  %29 = sdiv i64 %2, %24
  br label %30

30:
  %31 = phi i64 [ %29, %28 ], [ 0, %22 ]
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %33 = load i64, ptr %32, align 8
  %34 = getelementptr inbounds ptr, ptr %3, i64 %33
  %35 = load ptr, ptr %34, align 8
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %37 = load i64, ptr %36, align 8
  %38 = mul i64 %37, %1
  %39 = getelementptr inbounds double, ptr %35, i64 %38
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %41 = load i64, ptr %40, align 8
  %42 = mul i64 %41, %31
  %43 = getelementptr inbounds double, ptr %39, i64 %42
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %45 = load i64, ptr %44, align 8
  %46 = getelementptr inbounds ptr, ptr %3, i64 %45
  %47 = load ptr, ptr %46, align 8
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %49 = load i64, ptr %48, align 8
  %50 = mul i64 %49, %1
  %51 = getelementptr inbounds double, ptr %47, i64 %50
  %52 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %53 = load i64, ptr %52, align 8
  %54 = mul i64 %53, %31
  %55 = getelementptr inbounds double, ptr %51, i64 %54
  %56 = mul i64 %31, %24
  %57 = sub i64 %2, %56
  br i1 %9, label %58, label %1011

58:
  %59 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %60 = load i64, ptr %59, align 8
  %61 = shl i64 %60, 2
  %62 = mul i64 %61, %57
  %63 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %64 = load i64, ptr %63, align 8
  %65 = sub i64 %64, %62
  %66 = tail call i64 @llvm.smin.i64(i64 %61, i64 %65)
  %67 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %68 = load i64, ptr %67, align 8
  %69 = icmp sgt i64 %61, 0
  br i1 %69, label %70, label %85

70:
  %71 = sdiv i64 %62, %68
  %72 = mul i64 %71, %68
  %73 = srem i64 %62, %68
  %74 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %75 = load i64, ptr %74, align 8
  %76 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %77 = load i64, ptr %76, align 8
  %78 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %79 = load i64, ptr %78, align 8
  %80 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %81 = load i64, ptr %80, align 8
  %82 = add i64 %66, -1
  br label %301

83:
  %84 = load i64, ptr %6, align 16
  br label %85

85:
  %86 = phi i64 [ %84, %83 ], [ undef, %58 ]
  %87 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %88 = load i64, ptr %87, align 8
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %90 = load i64, ptr %89, align 8
  %91 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %92 = load i64, ptr %91, align 8
  %93 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %94 = load i64, ptr %93, align 8
  %95 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %96 = load i64, ptr %95, align 8
  %97 = icmp eq i64 %96, 0
  %98 = add i64 %61, -1
  %99 = getelementptr inbounds i64, ptr %6, i64 %98
  %100 = load i64, ptr %99, align 8
  %101 = sub i64 %100, %86
  %102 = icmp sle i64 %61, %65
  %103 = icmp eq i64 %94, 1
  %104 = select i1 %102, i1 %103, i1 false
  br i1 %104, label %105, label %141

105:
  %106 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %107 = load i64, ptr %106, align 8
  %108 = icmp eq i64 %107, 2
  %109 = shl i64 %98, 1
  %110 = icmp eq i64 %101, %109
  %111 = select i1 %108, i1 %110, i1 false
  br i1 %111, label %112, label %177

112:
  %113 = icmp sgt i64 %88, 0
  br i1 %113, label %114, label %285

114:
  %115 = getelementptr inbounds double, ptr %43, i64 %86
  %116 = icmp sgt i64 %60, 0
  br label %117

117:
  %118 = phi ptr [ %115, %114 ], [ %123, %121 ]
  %119 = phi i64 [ 0, %114 ], [ %122, %121 ]
  %120 = getelementptr %struct.Complex_f64, ptr %4, i64 %119
  br i1 %116, label %125, label %121

121:
  %122 = add nuw nsw i64 %119, 1
  %123 = getelementptr inbounds double, ptr %118, i64 %92
  %124 = icmp eq i64 %122, %88
  br i1 %124, label %285, label %117

125:
  %126 = phi i64 [ %139, %125 ], [ 0, %117 ]
  %127 = mul i64 %126, %90
  %128 = getelementptr %struct.Complex_f64, ptr %120, i64 %127
  %129 = shl i64 %126, 6
  %130 = getelementptr inbounds i8, ptr %118, i64 %129
  %131 = load <4 x double>, ptr %130, align 8
  %132 = getelementptr inbounds nuw i8, ptr %130, i64 32
  %133 = load <4 x double>, ptr %132, align 8
  %134 = shufflevector <4 x double> %131, <4 x double> %133, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %135 = shufflevector <4 x double> %131, <4 x double> %133, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %136 = select i1 %97, <4 x double> %134, <4 x double> %135
  %137 = select i1 %97, <4 x double> %135, <4 x double> %134
  store <4 x double> %136, ptr %128, align 32
  %138 = getelementptr inbounds nuw i8, ptr %128, i64 32
  store <4 x double> %137, ptr %138, align 32
  %139 = add nuw nsw i64 %126, 1
  %140 = icmp eq i64 %139, %60
  br i1 %140, label %121, label %125

141:
  %142 = icmp ne i64 %94, 1
  %143 = select i1 %102, i1 %142, i1 false
  br i1 %143, label %144, label %177

144:
  %145 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %146 = load i64, ptr %145, align 8
  %147 = icmp eq i64 %146, 1
  %148 = icmp eq i64 %101, %98
  %149 = select i1 %147, i1 %148, i1 false
  br i1 %149, label %150, label %177

150:
  %151 = icmp sgt i64 %88, 0
  br i1 %151, label %152, label %285

152:
  %153 = getelementptr inbounds double, ptr %43, i64 %86
  %154 = icmp sgt i64 %60, 0
  br label %155

155:
  %156 = phi ptr [ %153, %152 ], [ %161, %159 ]
  %157 = phi i64 [ 0, %152 ], [ %160, %159 ]
  %158 = getelementptr %struct.Complex_f64, ptr %4, i64 %157
  br i1 %154, label %163, label %159

159:
  %160 = add nuw nsw i64 %157, 1
  %161 = getelementptr inbounds double, ptr %156, i64 %92
  %162 = icmp eq i64 %160, %88
  br i1 %162, label %285, label %155

163:
  %164 = phi i64 [ %175, %163 ], [ 0, %155 ]
  %165 = shl i64 %164, 5
  %166 = getelementptr inbounds i8, ptr %156, i64 %165
  %167 = mul i64 %164, %90
  %168 = getelementptr %struct.Complex_f64, ptr %158, i64 %167
  %169 = load <4 x double>, ptr %166, align 8
  %170 = getelementptr inbounds double, ptr %166, i64 %94
  %171 = load <4 x double>, ptr %170, align 8
  %172 = select i1 %97, <4 x double> %169, <4 x double> %171
  %173 = select i1 %97, <4 x double> %171, <4 x double> %169
  store <4 x double> %172, ptr %168, align 32
  %174 = getelementptr inbounds nuw i8, ptr %168, i64 32
  store <4 x double> %173, ptr %174, align 32
  %175 = add nuw nsw i64 %164, 1
  %176 = icmp eq i64 %175, %60
  br i1 %176, label %159, label %163

177:
  %178 = icmp sgt i64 %66, 0
  br i1 %178, label %179, label %325

179:
  %180 = icmp ne i64 %92, 2
  %181 = xor i1 %103, true
  %182 = select i1 %181, i1 true, i1 %180
  %183 = icmp slt i64 %88, 2
  %184 = select i1 %182, i1 true, i1 %183
  %185 = select i1 %97, i64 0, i64 4
  %186 = select i1 %97, i64 4, i64 0
  %187 = select i1 %97, i64 1, i64 5
  %188 = select i1 %97, i64 5, i64 1
  %189 = select i1 %97, i64 2, i64 6
  %190 = select i1 %97, i64 6, i64 2
  %191 = select i1 %97, i64 3, i64 7
  %192 = select i1 %97, i64 7, i64 3
  %193 = add nsw i64 %66, -1
  %194 = lshr i64 %193, 2
  br label %195

195:
  %196 = phi ptr [ %6, %179 ], [ %282, %280 ]
  %197 = phi i64 [ 0, %179 ], [ %281, %280 ]
  %198 = phi ptr [ %4, %179 ], [ %283, %280 ]
  br i1 %184, label %238, label %199

199:
  %200 = getelementptr inbounds nuw i8, ptr %196, i64 8
  %201 = getelementptr inbounds nuw i8, ptr %196, i64 16
  %202 = getelementptr inbounds nuw i8, ptr %196, i64 24
  %203 = load i64, ptr %200, align 8
  %204 = load i64, ptr %201, align 8
  %205 = load i64, ptr %202, align 8
  %206 = load i64, ptr %196, align 8
  br label %207

207:
  %208 = phi i64 [ %236, %207 ], [ 2, %199 ]
  %209 = phi i64 [ %208, %207 ], [ 0, %199 ]
  %210 = shl i64 %209, 4
  %211 = getelementptr i8, ptr %43, i64 %210
  %212 = getelementptr double, ptr %211, i64 %206
  %213 = load <4 x double>, ptr %212, align 8
  %214 = getelementptr double, ptr %211, i64 %203
  %215 = load <4 x double>, ptr %214, align 8
  %216 = getelementptr double, ptr %211, i64 %204
  %217 = load <4 x double>, ptr %216, align 8
  %218 = getelementptr double, ptr %211, i64 %205
  %219 = load <4 x double>, ptr %218, align 8
  %220 = shufflevector <4 x double> %213, <4 x double> %215, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %221 = shufflevector <4 x double> %213, <4 x double> %215, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %222 = shufflevector <4 x double> %217, <4 x double> %219, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %223 = shufflevector <4 x double> %217, <4 x double> %219, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %224 = shufflevector <4 x double> %220, <4 x double> %222, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %225 = shufflevector <4 x double> %220, <4 x double> %222, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %226 = shufflevector <4 x double> %221, <4 x double> %223, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %227 = shufflevector <4 x double> %221, <4 x double> %223, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %228 = getelementptr %struct.Complex_f64, ptr %198, i64 %209
  %229 = select i1 %97, <4 x double> %226, <4 x double> %224
  %230 = select i1 %97, <4 x double> %224, <4 x double> %226
  store <4 x double> %230, ptr %228, align 32
  %231 = getelementptr inbounds nuw i8, ptr %228, i64 32
  store <4 x double> %229, ptr %231, align 32
  %232 = getelementptr i8, ptr %228, i64 64
  %233 = select i1 %97, <4 x double> %227, <4 x double> %225
  %234 = select i1 %97, <4 x double> %225, <4 x double> %227
  store <4 x double> %234, ptr %232, align 32
  %235 = getelementptr i8, ptr %228, i64 96
  store <4 x double> %233, ptr %235, align 32
  %236 = add i64 %208, 2
  %237 = icmp sgt i64 %236, %88
  br i1 %237, label %238, label %207

238:
  %239 = phi i64 [ 0, %195 ], [ %208, %207 ]
  %240 = icmp slt i64 %239, %88
  br i1 %240, label %241, label %280

241:
  %242 = getelementptr inbounds nuw i8, ptr %196, i64 8
  %243 = getelementptr inbounds nuw i8, ptr %196, i64 16
  %244 = getelementptr inbounds nuw i8, ptr %196, i64 24
  %245 = load i64, ptr %242, align 8
  %246 = load i64, ptr %243, align 8
  %247 = load i64, ptr %244, align 8
  %248 = load i64, ptr %196, align 8
  br label %249

249:
  %250 = phi i64 [ %278, %249 ], [ %239, %241 ]
  %251 = getelementptr inbounds %struct.Complex_f64, ptr %198, i64 %250
  %252 = mul i64 %250, %92
  %253 = getelementptr double, ptr %43, i64 %252
  %254 = getelementptr double, ptr %253, i64 %248
  %255 = load double, ptr %254, align 8
  %256 = getelementptr inbounds nuw double, ptr %251, i64 %185
  store double %255, ptr %256, align 8
  %257 = getelementptr inbounds double, ptr %254, i64 %94
  %258 = load double, ptr %257, align 8
  %259 = getelementptr inbounds nuw double, ptr %251, i64 %186
  store double %258, ptr %259, align 8
  %260 = getelementptr double, ptr %253, i64 %245
  %261 = load double, ptr %260, align 8
  %262 = getelementptr inbounds nuw double, ptr %251, i64 %187
  store double %261, ptr %262, align 8
  %263 = getelementptr inbounds double, ptr %260, i64 %94
  %264 = load double, ptr %263, align 8
  %265 = getelementptr inbounds nuw double, ptr %251, i64 %188
  store double %264, ptr %265, align 8
  %266 = getelementptr double, ptr %253, i64 %246
  %267 = load double, ptr %266, align 8
  %268 = getelementptr inbounds nuw double, ptr %251, i64 %189
  store double %267, ptr %268, align 8
  %269 = getelementptr inbounds double, ptr %266, i64 %94
  %270 = load double, ptr %269, align 8
  %271 = getelementptr inbounds nuw double, ptr %251, i64 %190
  store double %270, ptr %271, align 8
  %272 = getelementptr double, ptr %253, i64 %247
  %273 = load double, ptr %272, align 8
  %274 = getelementptr inbounds nuw double, ptr %251, i64 %191
  store double %273, ptr %274, align 8
  %275 = getelementptr inbounds double, ptr %272, i64 %94
  %276 = load double, ptr %275, align 8
  %277 = getelementptr inbounds nuw double, ptr %251, i64 %192
  store double %276, ptr %277, align 8
  %278 = add nsw i64 %250, 1
  %279 = icmp eq i64 %278, %88
  br i1 %279, label %280, label %249

280:
  %281 = add nuw nsw i64 %197, 1
  %282 = getelementptr inbounds nuw i8, ptr %196, i64 32
  %283 = getelementptr inbounds %struct.Complex_f64, ptr %198, i64 %90
  %284 = icmp eq i64 %197, %194
  br i1 %284, label %285, label %195

285:
  %286 = icmp sgt i64 %66, 0
  br i1 %286, label %287, label %325

287:
  %288 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %289 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %290 = getelementptr inbounds nuw i8, ptr %0, i64 272
  %291 = getelementptr inbounds nuw i8, ptr %0, i64 256
  %292 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %293 = getelementptr inbounds nuw i8, ptr %0, i64 264
  %294 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %295 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %296 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %297 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %298 = getelementptr inbounds nuw i8, ptr %0, i64 248
  %299 = add nsw i64 %66, -1
  %300 = lshr i64 %299, 2
  br label %670

301:
  %302 = phi i64 [ %71, %70 ], [ %322, %320 ]
  %303 = phi i64 [ 0, %70 ], [ %323, %320 ]
  %304 = phi i64 [ %73, %70 ], [ %321, %320 ]
  %305 = mul i64 %302, %75
  %306 = mul i64 %304, %77
  %307 = add i64 %306, %305
  %308 = getelementptr inbounds nuw i64, ptr %6, i64 %303
  store i64 %307, ptr %308, align 8
  %309 = mul i64 %302, %79
  %310 = mul i64 %304, %81
  %311 = add i64 %310, %309
  %312 = getelementptr inbounds nuw i64, ptr %7, i64 %303
  store i64 %311, ptr %312, align 8
  %313 = icmp slt i64 %303, %82
  br i1 %313, label %314, label %320

314:
  %315 = add i64 %304, 1
  %316 = icmp eq i64 %315, %68
  %317 = select i1 %316, i64 0, i64 %315
  %318 = zext i1 %316 to i64
  %319 = add i64 %302, %318
  br label %320

320:
  %321 = phi i64 [ %304, %301 ], [ %317, %314 ]
  %322 = phi i64 [ %302, %301 ], [ %319, %314 ]
  %323 = add nuw nsw i64 %303, 1
  %324 = icmp eq i64 %323, %61
  br i1 %324, label %83, label %301

325:
  %326 = phi i1 [ false, %177 ], [ false, %285 ], [ true, %1006 ]
  %327 = load i64, ptr %59, align 8
  %328 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %329 = load i64, ptr %328, align 8
  %330 = load i64, ptr %89, align 8
  %331 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %332 = load i64, ptr %331, align 8
  %333 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %334 = load i64, ptr %333, align 8
  %335 = shl i64 %327, 2
  %336 = getelementptr inbounds nuw i8, ptr %0, i64 248
  %337 = load ptr, ptr %336, align 8
  %338 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %339 = load i64, ptr %338, align 8
  %340 = icmp eq i64 %339, 0
  %341 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %342 = load double, ptr %341, align 8
  %343 = add i64 %335, -1
  %344 = getelementptr inbounds i64, ptr %7, i64 %343
  %345 = load i64, ptr %344, align 8
  %346 = load i64, ptr %7, align 16
  %347 = sub i64 %345, %346
  %348 = getelementptr inbounds nuw i8, ptr %0, i64 280
  %349 = load ptr, ptr %348, align 8
  %350 = getelementptr inbounds nuw i8, ptr %0, i64 288
  %351 = load ptr, ptr %350, align 8
  %352 = shl i64 %57, 1
  %353 = mul i64 %352, %327
  %354 = mul i64 %353, %329
  %355 = getelementptr inbounds double, ptr %351, i64 %354
  %356 = icmp ne ptr %349, null
  %357 = icmp eq i64 %66, %335
  %358 = and i1 %357, %356
  br i1 %358, label %359, label %420

359:
  %360 = icmp sgt i64 %329, 0
  br i1 %360, label %361, label %1010

361:
  %362 = getelementptr inbounds double, ptr %55, i64 %346
  %363 = icmp sgt i64 %327, 0
  br label %364

364:
  %365 = phi ptr [ %362, %361 ], [ %374, %372 ]
  %366 = phi i64 [ 0, %361 ], [ %373, %372 ]
  br i1 %363, label %367, label %372

367:
  %368 = getelementptr inbounds nuw i32, ptr %337, i64 %366
  %369 = shl i64 %366, 6
  %370 = getelementptr inbounds i8, ptr %349, i64 %369
  %371 = getelementptr inbounds nuw i8, ptr %370, i64 32
  br label %376

372:
  %373 = add nuw nsw i64 %366, 1
  %374 = getelementptr inbounds double, ptr %365, i64 %332
  %375 = icmp eq i64 %373, %329
  br i1 %375, label %1010, label %364

376:
  %377 = phi i64 [ 0, %367 ], [ %418, %376 ]
  %378 = mul i64 %377, %330
  %379 = load i32, ptr %368, align 4
  %380 = sext i32 %379 to i64
  %381 = getelementptr %struct.Complex_f64, ptr %4, i64 %378
  %382 = getelementptr %struct.Complex_f64, ptr %381, i64 %380
  %383 = mul i64 %377, %329
  %384 = add i64 %383, %366
  %385 = shl i64 %384, 4
  %386 = getelementptr inbounds i8, ptr %355, i64 %385
  %387 = load <4 x double>, ptr %382, align 32
  %388 = getelementptr inbounds nuw i8, ptr %382, i64 32
  %389 = load <4 x double>, ptr %388, align 32
  %390 = load <4 x double>, ptr %370, align 8
  %391 = load <4 x double>, ptr %371, align 8
  %392 = load double, ptr %386, align 8
  %393 = insertelement <4 x double> poison, double %392, i64 0
  %394 = shufflevector <4 x double> %393, <4 x double> poison, <4 x i32> zeroinitializer
  %395 = getelementptr inbounds nuw i8, ptr %386, i64 8
  %396 = load double, ptr %395, align 8
  %397 = insertelement <4 x double> poison, double %396, i64 0
  %398 = fneg double %396
  %399 = insertelement <4 x double> poison, double %398, i64 0
  %400 = shufflevector <4 x double> %399, <4 x double> poison, <4 x i32> zeroinitializer
  %401 = fmul <4 x double> %391, %400
  %402 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %390, <4 x double> %394, <4 x double> %401)
  %403 = shufflevector <4 x double> %397, <4 x double> poison, <4 x i32> zeroinitializer
  %404 = fmul <4 x double> %390, %403
  %405 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %391, <4 x double> %394, <4 x double> %404)
  %406 = fneg <4 x double> %405
  %407 = fmul <4 x double> %389, %406
  %408 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %387, <4 x double> %402, <4 x double> %407)
  %409 = fmul <4 x double> %387, %405
  %410 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %389, <4 x double> %402, <4 x double> %409)
  %411 = shl i64 %377, 6
  %412 = getelementptr inbounds i8, ptr %365, i64 %411
  %413 = select i1 %340, <4 x double> %408, <4 x double> %410
  %414 = select i1 %340, <4 x double> %410, <4 x double> %408
  %415 = shufflevector <4 x double> %413, <4 x double> %414, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  store <4 x double> %415, ptr %412, align 8
  %416 = shufflevector <4 x double> %413, <4 x double> %414, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %417 = getelementptr inbounds nuw i8, ptr %412, i64 32
  store <4 x double> %416, ptr %417, align 8
  %418 = add nuw nsw i64 %377, 1
  %419 = icmp eq i64 %418, %327
  br i1 %419, label %372, label %376

420:
  %421 = and i1 %326, %356
  br i1 %421, label %422, label %473

422:
  %423 = icmp sgt i64 %329, 0
  %424 = add nsw i64 %66, -1
  %425 = lshr i64 %424, 2
  br label %426

426:
  %427 = phi i64 [ 0, %422 ], [ %433, %432 ]
  br i1 %423, label %428, label %432

428:
  %429 = mul i64 %427, %330
  %430 = getelementptr inbounds %struct.Complex_f64, ptr %4, i64 %429
  %431 = mul i64 %427, %329
  br label %435

432:
  %433 = add nuw nsw i64 %427, 1
  %434 = icmp eq i64 %427, %425
  br i1 %434, label %473, label %426

435:
  %436 = phi i64 [ 0, %428 ], [ %471, %435 ]
  %437 = getelementptr inbounds nuw i32, ptr %337, i64 %436
  %438 = load i32, ptr %437, align 4
  %439 = sext i32 %438 to i64
  %440 = getelementptr inbounds %struct.Complex_f64, ptr %430, i64 %439
  %441 = shl i64 %436, 6
  %442 = getelementptr inbounds i8, ptr %349, i64 %441
  %443 = add i64 %436, %431
  %444 = shl i64 %443, 4
  %445 = getelementptr inbounds i8, ptr %355, i64 %444
  %446 = load <4 x double>, ptr %440, align 32
  %447 = getelementptr inbounds nuw i8, ptr %440, i64 32
  %448 = load <4 x double>, ptr %447, align 32
  %449 = load <4 x double>, ptr %442, align 8
  %450 = getelementptr inbounds nuw i8, ptr %442, i64 32
  %451 = load <4 x double>, ptr %450, align 8
  %452 = load double, ptr %445, align 8
  %453 = insertelement <4 x double> poison, double %452, i64 0
  %454 = shufflevector <4 x double> %453, <4 x double> poison, <4 x i32> zeroinitializer
  %455 = getelementptr inbounds nuw i8, ptr %445, i64 8
  %456 = load double, ptr %455, align 8
  %457 = insertelement <4 x double> poison, double %456, i64 0
  %458 = fneg double %456
  %459 = insertelement <4 x double> poison, double %458, i64 0
  %460 = shufflevector <4 x double> %459, <4 x double> poison, <4 x i32> zeroinitializer
  %461 = fmul <4 x double> %451, %460
  %462 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %449, <4 x double> %454, <4 x double> %461)
  %463 = shufflevector <4 x double> %457, <4 x double> poison, <4 x i32> zeroinitializer
  %464 = fmul <4 x double> %449, %463
  %465 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %451, <4 x double> %454, <4 x double> %464)
  %466 = fneg <4 x double> %465
  %467 = fmul <4 x double> %448, %466
  %468 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %446, <4 x double> %462, <4 x double> %467)
  %469 = fmul <4 x double> %446, %465
  %470 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %448, <4 x double> %462, <4 x double> %469)
  store <4 x double> %468, ptr %440, align 32
  store <4 x double> %470, ptr %447, align 32
  %471 = add nuw nsw i64 %436, 1
  %472 = icmp eq i64 %471, %329
  br i1 %472, label %432, label %435

473:
  %474 = icmp eq i64 %334, 1
  %475 = select i1 %357, i1 %474, i1 false
  br i1 %475, label %476, label %520

476:
  %477 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %478 = load i64, ptr %477, align 8
  %479 = icmp eq i64 %478, 2
  %480 = shl i64 %343, 1
  %481 = icmp eq i64 %347, %480
  %482 = select i1 %479, i1 %481, i1 false
  br i1 %482, label %483, label %564

483:
  %484 = icmp sgt i64 %329, 0
  br i1 %484, label %485, label %1010

485:
  %486 = getelementptr inbounds double, ptr %55, i64 %346
  %487 = icmp sgt i64 %327, 0
  %488 = insertelement <4 x double> poison, double %342, i64 0
  %489 = shufflevector <4 x double> %488, <4 x double> poison, <4 x i32> zeroinitializer
  br label %490

490:
  %491 = phi ptr [ %486, %485 ], [ %497, %495 ]
  %492 = phi i64 [ 0, %485 ], [ %496, %495 ]
  br i1 %487, label %493, label %495

493:
  %494 = getelementptr inbounds nuw i32, ptr %337, i64 %492
  br label %499

495:
  %496 = add nuw nsw i64 %492, 1
  %497 = getelementptr inbounds double, ptr %491, i64 %332
  %498 = icmp eq i64 %496, %329
  br i1 %498, label %1010, label %490

499:
  %500 = phi i64 [ 0, %493 ], [ %518, %499 ]
  %501 = shl i64 %500, 6
  %502 = getelementptr inbounds i8, ptr %491, i64 %501
  %503 = mul i64 %500, %330
  %504 = load i32, ptr %494, align 4
  %505 = sext i32 %504 to i64
  %506 = getelementptr %struct.Complex_f64, ptr %4, i64 %503
  %507 = getelementptr %struct.Complex_f64, ptr %506, i64 %505
  %508 = load <4 x double>, ptr %507, align 32
  %509 = getelementptr inbounds nuw i8, ptr %507, i64 32
  %510 = load <4 x double>, ptr %509, align 32
  %511 = fmul <4 x double> %489, %508
  %512 = fmul <4 x double> %489, %510
  %513 = select i1 %340, <4 x double> %511, <4 x double> %512
  %514 = select i1 %340, <4 x double> %512, <4 x double> %511
  %515 = shufflevector <4 x double> %513, <4 x double> %514, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  store <4 x double> %515, ptr %502, align 8
  %516 = shufflevector <4 x double> %513, <4 x double> %514, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %517 = getelementptr inbounds nuw i8, ptr %502, i64 32
  store <4 x double> %516, ptr %517, align 8
  %518 = add nuw nsw i64 %500, 1
  %519 = icmp eq i64 %518, %327
  br i1 %519, label %495, label %499

520:
  %521 = icmp ne i64 %334, 1
  %522 = select i1 %357, i1 %521, i1 false
  br i1 %522, label %523, label %564

523:
  %524 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %525 = load i64, ptr %524, align 8
  %526 = icmp eq i64 %525, 1
  %527 = icmp eq i64 %347, %343
  %528 = select i1 %526, i1 %527, i1 false
  br i1 %528, label %529, label %564

529:
  %530 = icmp sgt i64 %329, 0
  br i1 %530, label %531, label %1010

531:
  %532 = getelementptr inbounds double, ptr %55, i64 %346
  %533 = icmp sgt i64 %327, 0
  %534 = insertelement <4 x double> poison, double %342, i64 0
  %535 = shufflevector <4 x double> %534, <4 x double> poison, <4 x i32> zeroinitializer
  br label %536

536:
  %537 = phi ptr [ %532, %531 ], [ %543, %541 ]
  %538 = phi i64 [ 0, %531 ], [ %542, %541 ]
  br i1 %533, label %539, label %541

539:
  %540 = getelementptr inbounds nuw i32, ptr %337, i64 %538
  br label %545

541:
  %542 = add nuw nsw i64 %538, 1
  %543 = getelementptr inbounds double, ptr %537, i64 %332
  %544 = icmp eq i64 %542, %329
  br i1 %544, label %1010, label %536

545:
  %546 = phi i64 [ 0, %539 ], [ %562, %545 ]
  %547 = mul i64 %546, %330
  %548 = load i32, ptr %540, align 4
  %549 = sext i32 %548 to i64
  %550 = getelementptr %struct.Complex_f64, ptr %4, i64 %547
  %551 = getelementptr %struct.Complex_f64, ptr %550, i64 %549
  %552 = load <4 x double>, ptr %551, align 32
  %553 = getelementptr inbounds nuw i8, ptr %551, i64 32
  %554 = load <4 x double>, ptr %553, align 32
  %555 = fmul <4 x double> %535, %552
  %556 = fmul <4 x double> %535, %554
  %557 = select i1 %340, <4 x double> %555, <4 x double> %556
  %558 = select i1 %340, <4 x double> %556, <4 x double> %555
  %559 = shl i64 %546, 5
  %560 = getelementptr inbounds i8, ptr %537, i64 %559
  store <4 x double> %557, ptr %560, align 8
  %561 = getelementptr inbounds double, ptr %560, i64 %334
  store <4 x double> %558, ptr %561, align 8
  %562 = add nuw nsw i64 %546, 1
  %563 = icmp eq i64 %562, %327
  br i1 %563, label %541, label %545

564:
  br i1 %326, label %565, label %1010

565:
  %566 = icmp ne i64 %332, 2
  %567 = xor i1 %474, true
  %568 = select i1 %567, i1 true, i1 %566
  %569 = icmp slt i64 %329, 2
  %570 = insertelement <4 x double> poison, double %342, i64 0
  %571 = shufflevector <4 x double> %570, <4 x double> poison, <4 x i32> zeroinitializer
  %572 = select i1 %568, i1 true, i1 %569
  br label %573

573:
  %574 = phi ptr [ %7, %565 ], [ %667, %665 ]
  %575 = phi i64 [ %66, %565 ], [ %666, %665 ]
  %576 = phi ptr [ %4, %565 ], [ %668, %665 ]
  %577 = tail call i64 @llvm.umin.i64(i64 %575, i64 4)
  br i1 %572, label %634, label %578

578:
  %579 = icmp samesign ugt i64 %575, 1
  %580 = getelementptr inbounds nuw i8, ptr %574, i64 8
  %581 = icmp samesign ugt i64 %575, 2
  %582 = getelementptr inbounds nuw i8, ptr %574, i64 16
  %583 = icmp samesign ugt i64 %575, 3
  %584 = getelementptr inbounds nuw i8, ptr %574, i64 24
  %585 = load i64, ptr %574, align 8
  br label %586

586:
  %587 = phi i64 [ %632, %631 ], [ 2, %578 ]
  %588 = phi i64 [ %587, %631 ], [ 0, %578 ]
  %589 = getelementptr i32, ptr %337, i64 %588
  %590 = load i32, ptr %589, align 4
  %591 = sext i32 %590 to i64
  %592 = getelementptr inbounds %struct.Complex_f64, ptr %576, i64 %591
  %593 = load <4 x double>, ptr %592, align 32
  %594 = getelementptr inbounds nuw i8, ptr %592, i64 32
  %595 = load <4 x double>, ptr %594, align 32
  %596 = fmul <4 x double> %571, %593
  %597 = fmul <4 x double> %571, %595
  %598 = select i1 %340, <4 x double> %597, <4 x double> %596
  %599 = select i1 %340, <4 x double> %596, <4 x double> %597
  %600 = getelementptr i8, ptr %589, i64 4
  %601 = load i32, ptr %600, align 4
  %602 = sext i32 %601 to i64
  %603 = getelementptr inbounds %struct.Complex_f64, ptr %576, i64 %602
  %604 = load <4 x double>, ptr %603, align 32
  %605 = getelementptr inbounds nuw i8, ptr %603, i64 32
  %606 = load <4 x double>, ptr %605, align 32
  %607 = fmul <4 x double> %571, %604
  %608 = fmul <4 x double> %571, %606
  %609 = select i1 %340, <4 x double> %608, <4 x double> %607
  %610 = select i1 %340, <4 x double> %607, <4 x double> %608
  %611 = shufflevector <4 x double> %599, <4 x double> %598, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %612 = shufflevector <4 x double> %599, <4 x double> %598, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %613 = shufflevector <4 x double> %610, <4 x double> %609, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %614 = shufflevector <4 x double> %610, <4 x double> %609, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %615 = shufflevector <4 x double> %611, <4 x double> %613, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %616 = shufflevector <4 x double> %612, <4 x double> %614, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %617 = shl i64 %588, 4
  %618 = getelementptr i8, ptr %55, i64 %617
  %619 = shufflevector <4 x double> %611, <4 x double> %613, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %620 = getelementptr double, ptr %618, i64 %585
  store <4 x double> %619, ptr %620, align 8
  br i1 %579, label %621, label %631

621:
  %622 = shufflevector <4 x double> %612, <4 x double> %614, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %623 = load i64, ptr %580, align 8
  %624 = getelementptr double, ptr %618, i64 %623
  store <4 x double> %622, ptr %624, align 8
  br i1 %581, label %625, label %631

625:
  %626 = load i64, ptr %582, align 8
  %627 = getelementptr double, ptr %618, i64 %626
  store <4 x double> %615, ptr %627, align 8
  br i1 %583, label %628, label %631

628:
  %629 = load i64, ptr %584, align 8
  %630 = getelementptr double, ptr %618, i64 %629
  store <4 x double> %616, ptr %630, align 8
  br label %631

631:
  %632 = add i64 %587, 2
  %633 = icmp sgt i64 %632, %329
  br i1 %633, label %634, label %586

634:
  %635 = phi i64 [ 0, %573 ], [ %587, %631 ]
  %636 = icmp slt i64 %635, %329
  br i1 %636, label %637, label %665

637:
  %638 = phi i64 [ %653, %652 ], [ %635, %634 ]
  %639 = getelementptr inbounds i32, ptr %337, i64 %638
  %640 = load i32, ptr %639, align 4
  %641 = sext i32 %640 to i64
  %642 = getelementptr inbounds %struct.Complex_f64, ptr %576, i64 %641
  %643 = load <4 x double>, ptr %642, align 32
  %644 = getelementptr inbounds nuw i8, ptr %642, i64 32
  %645 = load <4 x double>, ptr %644, align 32
  %646 = fmul <4 x double> %571, %643
  %647 = fmul <4 x double> %571, %645
  %648 = select i1 %340, <4 x double> %647, <4 x double> %646
  %649 = select i1 %340, <4 x double> %646, <4 x double> %647
  %650 = mul i64 %638, %332
  %651 = getelementptr double, ptr %55, i64 %650
  br label %655

652:
  %653 = add nsw i64 %638, 1
  %654 = icmp eq i64 %653, %329
  br i1 %654, label %665, label %637

655:
  %656 = phi i64 [ 0, %637 ], [ %663, %655 ]
  %657 = getelementptr inbounds nuw i64, ptr %574, i64 %656
  %658 = load i64, ptr %657, align 8
  %659 = getelementptr double, ptr %651, i64 %658
  %660 = extractelement <4 x double> %649, i64 %656
  store double %660, ptr %659, align 8
  %661 = extractelement <4 x double> %648, i64 %656
  %662 = getelementptr inbounds double, ptr %659, i64 %334
  store double %661, ptr %662, align 8
  %663 = add nuw nsw i64 %656, 1
  %664 = icmp eq i64 %663, %577
  br i1 %664, label %652, label %655

665:
  %666 = add nsw i64 %575, -4
  %667 = getelementptr inbounds nuw i8, ptr %574, i64 32
  %668 = getelementptr inbounds %struct.Complex_f64, ptr %576, i64 %330
  %669 = icmp sgt i64 %575, 4
  br i1 %669, label %573, label %1010

670:
  %671 = phi i64 [ 0, %287 ], [ %1008, %1006 ]
  %672 = phi i64 [ 0, %287 ], [ %1007, %1006 ]
  %673 = load i64, ptr %89, align 8
  %674 = mul i64 %673, %672
  %675 = getelementptr inbounds %struct.Complex_f64, ptr %4, i64 %674
  %676 = load i64, ptr %288, align 8
  switch i64 %676, label %780 [
    i64 2, label %677
    i64 3, label %723
    i64 4, label %759
  ]

677:
  %678 = load i64, ptr %289, align 8
  %679 = load ptr, ptr %290, align 8
  %680 = load <4 x double>, ptr %675, align 32
  %681 = getelementptr inbounds nuw i8, ptr %675, i64 32
  %682 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %678
  %683 = load <4 x double>, ptr %682, align 32
  %684 = fsub <4 x double> %680, %683
  %685 = fadd <4 x double> %680, %683
  store <4 x double> %684, ptr %675, align 32
  store <4 x double> %685, ptr %681, align 32
  %686 = icmp slt i64 %678, 2
  br i1 %686, label %780, label %687

687:
  %688 = phi i64 [ %721, %687 ], [ 2, %677 ]
  %689 = phi i64 [ %720, %687 ], [ 1, %677 ]
  %690 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %689
  %691 = load <4 x double>, ptr %690, align 32
  %692 = getelementptr inbounds nuw i8, ptr %690, i64 32
  %693 = load <4 x double>, ptr %692, align 32
  %694 = sub i64 %678, %689
  %695 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %694
  %696 = load <4 x double>, ptr %695, align 32
  %697 = getelementptr inbounds nuw i8, ptr %695, i64 32
  %698 = load <4 x double>, ptr %697, align 32
  %699 = fadd <4 x double> %691, %696
  %700 = fsub <4 x double> %693, %698
  %701 = fsub <4 x double> %691, %696
  %702 = fadd <4 x double> %693, %698
  %703 = getelementptr inbounds double, ptr %679, i64 %688
  %704 = load double, ptr %703, align 8
  %705 = insertelement <4 x double> poison, double %704, i64 0
  %706 = shufflevector <4 x double> %705, <4 x double> poison, <4 x i32> zeroinitializer
  %707 = getelementptr i8, ptr %703, i64 8
  %708 = load double, ptr %707, align 8
  %709 = insertelement <4 x double> poison, double %708, i64 0
  %710 = shufflevector <4 x double> %709, <4 x double> poison, <4 x i32> zeroinitializer
  %711 = fmul <4 x double> %702, %710
  %712 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %701, <4 x double> %706, <4 x double> %711)
  %713 = fneg <4 x double> %710
  %714 = fmul <4 x double> %701, %713
  %715 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %702, <4 x double> %706, <4 x double> %714)
  %716 = fadd <4 x double> %700, %712
  %717 = fsub <4 x double> %699, %715
  store <4 x double> %716, ptr %690, align 32
  store <4 x double> %717, ptr %692, align 32
  %718 = fsub <4 x double> %712, %700
  %719 = fadd <4 x double> %699, %715
  store <4 x double> %718, ptr %695, align 32
  store <4 x double> %719, ptr %697, align 32
  %720 = add i64 %689, 1
  %721 = shl i64 %720, 1
  %722 = icmp sgt i64 %721, %678
  br i1 %722, label %780, label %687

723:
  %724 = getelementptr inbounds i64, ptr %6, i64 %671
  %725 = load i64, ptr %289, align 8
  %726 = sdiv i64 %725, 2
  %727 = icmp sgt i64 %725, 1
  br i1 %727, label %732, label %728

728:
  %729 = load i64, ptr %91, align 8
  %730 = mul i64 %729, %726
  %731 = getelementptr double, ptr %43, i64 %730
  br label %745

732:
  %733 = phi i64 [ %734, %732 ], [ %726, %723 ]
  %734 = add nsw i64 %733, -1
  %735 = getelementptr inbounds nuw %struct.Complex_f64, ptr %675, i64 %734
  %736 = load <4 x double>, ptr %735, align 32
  %737 = getelementptr inbounds nuw i8, ptr %735, i64 32
  %738 = load <4 x double>, ptr %737, align 32
  %739 = shl nuw nsw i64 %734, 7
  %740 = getelementptr inbounds nuw i8, ptr %675, i64 %739
  %741 = getelementptr inbounds nuw i8, ptr %740, i64 64
  store <4 x double> %738, ptr %741, align 32
  %742 = getelementptr inbounds nuw i8, ptr %740, i64 96
  store <4 x double> zeroinitializer, ptr %742, align 32
  store <4 x double> %736, ptr %740, align 32
  %743 = getelementptr inbounds nuw i8, ptr %740, i64 32
  store <4 x double> zeroinitializer, ptr %743, align 32
  %744 = icmp sgt i64 %733, 1
  br i1 %744, label %732, label %728

745:
  %746 = phi i64 [ 0, %728 ], [ %753, %745 ]
  %747 = phi <4 x double> [ zeroinitializer, %728 ], [ %752, %745 ]
  %748 = getelementptr inbounds nuw i64, ptr %724, i64 %746
  %749 = load i64, ptr %748, align 8
  %750 = getelementptr double, ptr %731, i64 %749
  %751 = load double, ptr %750, align 8
  %752 = insertelement <4 x double> %747, double %751, i64 %746
  %753 = add nuw nsw i64 %746, 1
  %754 = icmp eq i64 %753, 4
  br i1 %754, label %755, label %745

755:
  %756 = getelementptr %struct.Complex_f64, ptr %675, i64 %725
  %757 = getelementptr i8, ptr %756, i64 -64
  store <4 x double> %752, ptr %757, align 32
  %758 = getelementptr i8, ptr %756, i64 -32
  store <4 x double> zeroinitializer, ptr %758, align 32
  br label %780

759:
  %760 = load i64, ptr %289, align 8
  %761 = load <4 x double>, ptr %675, align 32
  store <4 x double> zeroinitializer, ptr %675, align 32
  %762 = getelementptr inbounds nuw i8, ptr %675, i64 32
  store <4 x double> %761, ptr %762, align 32
  %763 = icmp sgt i64 %760, 2
  br i1 %763, label %764, label %780

764:
  %765 = add nsw i64 %760, -3
  %766 = lshr i64 %765, 1
  %767 = add nuw nsw i64 %766, 1
  br label %768

768:
  %769 = phi i64 [ %778, %768 ], [ 1, %764 ]
  %770 = getelementptr inbounds nuw %struct.Complex_f64, ptr %675, i64 %769
  %771 = load <4 x double>, ptr %770, align 32
  %772 = getelementptr inbounds nuw i8, ptr %770, i64 32
  %773 = load <4 x double>, ptr %772, align 32
  store <4 x double> %773, ptr %770, align 32
  store <4 x double> %771, ptr %772, align 32
  %774 = sub nsw i64 %760, %769
  %775 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %774
  %776 = fneg <4 x double> %773
  store <4 x double> %776, ptr %775, align 32
  %777 = getelementptr inbounds nuw i8, ptr %775, i64 32
  store <4 x double> %771, ptr %777, align 32
  %778 = add nuw nsw i64 %769, 1
  %779 = icmp eq i64 %769, %767
  br i1 %779, label %780, label %768

780:
  %781 = load ptr, ptr %291, align 8
  %782 = icmp eq ptr %781, null
  br i1 %782, label %880, label %783

783:
  %784 = load i64, ptr %289, align 8
  %785 = load i64, ptr %292, align 8
  %786 = load ptr, ptr %293, align 8
  %787 = load ptr, ptr %294, align 8
  %788 = icmp sgt i64 %784, 0
  br i1 %788, label %791, label %789

789:
  %790 = icmp slt i64 %784, %785
  br i1 %790, label %818, label %815

791:
  %792 = phi i64 [ %813, %791 ], [ 0, %783 ]
  %793 = getelementptr inbounds nuw %struct.Complex_f64, ptr %675, i64 %792
  %794 = shl i64 %792, 4
  %795 = getelementptr inbounds i8, ptr %781, i64 %794
  %796 = load <4 x double>, ptr %793, align 32
  %797 = getelementptr inbounds nuw i8, ptr %793, i64 32
  %798 = load <4 x double>, ptr %797, align 32
  %799 = load double, ptr %795, align 8
  %800 = insertelement <4 x double> poison, double %799, i64 0
  %801 = shufflevector <4 x double> %800, <4 x double> poison, <4 x i32> zeroinitializer
  %802 = getelementptr inbounds nuw i8, ptr %795, i64 8
  %803 = load double, ptr %802, align 8
  %804 = insertelement <4 x double> poison, double %803, i64 0
  %805 = fneg double %803
  %806 = insertelement <4 x double> poison, double %805, i64 0
  %807 = shufflevector <4 x double> %806, <4 x double> poison, <4 x i32> zeroinitializer
  %808 = fmul <4 x double> %798, %807
  %809 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %796, <4 x double> %801, <4 x double> %808)
  %810 = shufflevector <4 x double> %804, <4 x double> poison, <4 x i32> zeroinitializer
  %811 = fmul <4 x double> %796, %810
  %812 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %798, <4 x double> %801, <4 x double> %811)
  store <4 x double> %809, ptr %793, align 32
  store <4 x double> %812, ptr %797, align 32
  %813 = add nuw nsw i64 %792, 1
  %814 = icmp eq i64 %813, %784
  br i1 %814, label %789, label %791

815:
  tail call fastcc void @stages_f64(ptr %0, ptr %675)
  %816 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %785
  %817 = icmp sgt i64 %785, 0
  br i1 %817, label %824, label %823

818:
  %819 = phi i64 [ %821, %818 ], [ %784, %789 ]
  %820 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %819
  tail call void @llvm.memset.p0.i64(ptr align 32 %820, i8 0, i64 64, i1 false)
  %821 = add nsw i64 %819, 1
  %822 = icmp eq i64 %821, %785
  br i1 %822, label %815, label %818

823:
  tail call fastcc void @stages_f64(ptr %0, ptr %816)
  br i1 %788, label %853, label %881

824:
  %825 = phi i64 [ %851, %824 ], [ 0, %815 ]
  %826 = getelementptr inbounds nuw %struct.Complex_f64, ptr %816, i64 %825
  %827 = getelementptr inbounds nuw i32, ptr %787, i64 %825
  %828 = load i32, ptr %827, align 4
  %829 = sext i32 %828 to i64
  %830 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %829
  %831 = shl i64 %825, 4
  %832 = getelementptr inbounds i8, ptr %786, i64 %831
  %833 = load <4 x double>, ptr %830, align 32
  %834 = getelementptr inbounds nuw i8, ptr %830, i64 32
  %835 = load <4 x double>, ptr %834, align 32
  %836 = load double, ptr %832, align 8
  %837 = insertelement <4 x double> poison, double %836, i64 0
  %838 = shufflevector <4 x double> %837, <4 x double> poison, <4 x i32> zeroinitializer
  %839 = getelementptr inbounds nuw i8, ptr %832, i64 8
  %840 = load double, ptr %839, align 8
  %841 = insertelement <4 x double> poison, double %840, i64 0
  %842 = fneg double %840
  %843 = insertelement <4 x double> poison, double %842, i64 0
  %844 = shufflevector <4 x double> %843, <4 x double> poison, <4 x i32> zeroinitializer
  %845 = fmul <4 x double> %835, %844
  %846 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %833, <4 x double> %838, <4 x double> %845)
  %847 = shufflevector <4 x double> %841, <4 x double> poison, <4 x i32> zeroinitializer
  %848 = fmul <4 x double> %833, %847
  %849 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %835, <4 x double> %838, <4 x double> %848)
  store <4 x double> %849, ptr %826, align 32
  %850 = getelementptr inbounds nuw i8, ptr %826, i64 32
  store <4 x double> %846, ptr %850, align 32
  %851 = add nuw nsw i64 %825, 1
  %852 = icmp eq i64 %851, %785
  br i1 %852, label %823, label %824

853:
  %854 = phi i64 [ %878, %853 ], [ 0, %823 ]
  %855 = getelementptr inbounds nuw i32, ptr %787, i64 %854
  %856 = load i32, ptr %855, align 4
  %857 = sext i32 %856 to i64
  %858 = getelementptr inbounds %struct.Complex_f64, ptr %816, i64 %857
  %859 = load <4 x double>, ptr %858, align 32
  %860 = getelementptr inbounds nuw i8, ptr %858, i64 32
  %861 = load <4 x double>, ptr %860, align 32
  %862 = shl i64 %854, 4
  %863 = getelementptr inbounds i8, ptr %781, i64 %862
  %864 = load double, ptr %863, align 8
  %865 = insertelement <4 x double> poison, double %864, i64 0
  %866 = shufflevector <4 x double> %865, <4 x double> poison, <4 x i32> zeroinitializer
  %867 = getelementptr inbounds nuw i8, ptr %863, i64 8
  %868 = load double, ptr %867, align 8
  %869 = insertelement <4 x double> poison, double %868, i64 0
  %870 = fneg double %868
  %871 = insertelement <4 x double> poison, double %870, i64 0
  %872 = shufflevector <4 x double> %871, <4 x double> poison, <4 x i32> zeroinitializer
  %873 = fmul <4 x double> %859, %872
  %874 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %861, <4 x double> %866, <4 x double> %873)
  %875 = shufflevector <4 x double> %869, <4 x double> poison, <4 x i32> zeroinitializer
  %876 = fmul <4 x double> %861, %875
  %877 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %859, <4 x double> %866, <4 x double> %876)
  store <4 x double> %874, ptr %858, align 32
  store <4 x double> %877, ptr %860, align 32
  %878 = add nuw nsw i64 %854, 1
  %879 = icmp eq i64 %878, %784
  br i1 %879, label %881, label %853

880:
  tail call fastcc void @stages_f64(ptr %0, ptr %675)
  br label %881

881:
  %882 = load i64, ptr %288, align 8
  switch i64 %882, label %1006 [
    i64 1, label %883
    i64 4, label %953
  ]

883:
  %884 = load i64, ptr %289, align 8
  %885 = load ptr, ptr %295, align 8
  %886 = load ptr, ptr %290, align 8
  %887 = load i32, ptr %885, align 4
  %888 = sext i32 %887 to i64
  %889 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %888
  %890 = load <4 x double>, ptr %889, align 32
  %891 = getelementptr inbounds nuw i8, ptr %889, i64 32
  %892 = load <4 x double>, ptr %891, align 32
  %893 = fadd <4 x double> %890, %892
  store <4 x double> %893, ptr %889, align 32
  store <4 x double> zeroinitializer, ptr %891, align 32
  %894 = getelementptr inbounds i32, ptr %885, i64 %884
  %895 = load i32, ptr %894, align 4
  %896 = sext i32 %895 to i64
  %897 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %896
  %898 = fsub <4 x double> %890, %892
  store <4 x double> %898, ptr %897, align 32
  %899 = getelementptr inbounds nuw i8, ptr %897, i64 32
  store <4 x double> zeroinitializer, ptr %899, align 32
  %900 = icmp slt i64 %884, 2
  br i1 %900, label %1006, label %901

901:
  %902 = phi i64 [ %951, %901 ], [ 2, %883 ]
  %903 = phi i64 [ %950, %901 ], [ 1, %883 ]
  %904 = getelementptr inbounds i32, ptr %885, i64 %903
  %905 = load i32, ptr %904, align 4
  %906 = sext i32 %905 to i64
  %907 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %906
  %908 = load <4 x double>, ptr %907, align 32
  %909 = getelementptr inbounds nuw i8, ptr %907, i64 32
  %910 = load <4 x double>, ptr %909, align 32
  %911 = sub i64 %884, %903
  %912 = getelementptr inbounds i32, ptr %885, i64 %911
  %913 = load i32, ptr %912, align 4
  %914 = sext i32 %913 to i64
  %915 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %914
  %916 = load <4 x double>, ptr %915, align 32
  %917 = getelementptr inbounds nuw i8, ptr %915, i64 32
  %918 = load <4 x double>, ptr %917, align 32
  %919 = fadd <4 x double> %908, %916
  %920 = fsub <4 x double> %910, %918
  %921 = fmul <4 x double> %919, splat (double 5.000000e-01)
  %922 = fmul <4 x double> %920, splat (double 5.000000e-01)
  %923 = fadd <4 x double> %910, %918
  %924 = fmul <4 x double> %923, splat (double 5.000000e-01)
  %925 = fsub <4 x double> %916, %908
  %926 = fmul <4 x double> %925, splat (double 5.000000e-01)
  %927 = getelementptr inbounds double, ptr %886, i64 %902
  %928 = load double, ptr %927, align 8
  %929 = insertelement <4 x double> poison, double %928, i64 0
  %930 = shufflevector <4 x double> %929, <4 x double> poison, <4 x i32> zeroinitializer
  %931 = getelementptr inbounds nuw i8, ptr %927, i64 8
  %932 = load double, ptr %931, align 8
  %933 = insertelement <4 x double> poison, double %932, i64 0
  %934 = fneg double %932
  %935 = insertelement <4 x double> poison, double %934, i64 0
  %936 = shufflevector <4 x double> %935, <4 x double> poison, <4 x i32> zeroinitializer
  %937 = fmul <4 x double> %926, %936
  %938 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %924, <4 x double> %930, <4 x double> %937)
  %939 = shufflevector <4 x double> %933, <4 x double> poison, <4 x i32> zeroinitializer
  %940 = fmul <4 x double> %924, %939
  %941 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %926, <4 x double> %930, <4 x double> %940)
  %942 = fadd <4 x double> %921, %938
  %943 = fadd <4 x double> %922, %941
  store <4 x double> %942, ptr %907, align 32
  store <4 x double> %943, ptr %909, align 32
  %944 = load i32, ptr %912, align 4
  %945 = sext i32 %944 to i64
  %946 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %945
  %947 = fsub <4 x double> %921, %938
  %948 = fsub <4 x double> %941, %922
  store <4 x double> %947, ptr %946, align 32
  %949 = getelementptr inbounds nuw i8, ptr %946, i64 32
  store <4 x double> %948, ptr %949, align 32
  %950 = add i64 %903, 1
  %951 = shl i64 %950, 1
  %952 = icmp sgt i64 %951, %884
  br i1 %952, label %1006, label %901

953:
  %954 = getelementptr inbounds i64, ptr %7, i64 %671
  %955 = sub i64 %66, %671
  %956 = load i64, ptr %289, align 8
  %957 = load ptr, ptr %295, align 8
  %958 = getelementptr i32, ptr %957, i64 %956
  %959 = getelementptr i8, ptr %958, i64 -4
  %960 = load i32, ptr %959, align 4
  %961 = sext i32 %960 to i64
  %962 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %961
  %963 = getelementptr inbounds nuw i8, ptr %962, i64 32
  %964 = load <4 x double>, ptr %963, align 32
  %965 = load double, ptr %296, align 8
  %966 = tail call i64 @llvm.smin.i64(i64 %955, i64 4)
  %967 = icmp sgt i64 %955, 0
  %968 = sdiv i64 %956, 2
  br i1 %967, label %971, label %969

969:
  %970 = icmp sgt i64 %956, 1
  br i1 %970, label %983, label %1006

971:
  %972 = phi i64 [ %981, %971 ], [ 0, %953 ]
  %973 = extractelement <4 x double> %964, i64 %972
  %974 = fmul double %965, %973
  %975 = getelementptr inbounds nuw i64, ptr %954, i64 %972
  %976 = load i64, ptr %975, align 8
  %977 = load i64, ptr %297, align 8
  %978 = mul i64 %977, %968
  %979 = getelementptr double, ptr %55, i64 %976
  %980 = getelementptr double, ptr %979, i64 %978
  store double %974, ptr %980, align 8
  %981 = add nuw nsw i64 %972, 1
  %982 = icmp eq i64 %981, %966
  br i1 %982, label %969, label %971

983:
  %984 = phi i64 [ %1004, %983 ], [ 0, %969 ]
  %985 = load ptr, ptr %298, align 8
  %986 = getelementptr inbounds nuw i32, ptr %985, i64 %984
  %987 = load i32, ptr %986, align 4
  %988 = sext i32 %987 to i64
  %989 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %988
  %990 = shl i64 %984, 3
  %991 = getelementptr inbounds i8, ptr %957, i64 %990
  %992 = load i32, ptr %991, align 4
  %993 = sext i32 %992 to i64
  %994 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %993
  %995 = getelementptr inbounds nuw i8, ptr %994, i64 32
  %996 = load <4 x double>, ptr %995, align 32
  %997 = getelementptr i8, ptr %991, i64 4
  %998 = load i32, ptr %997, align 4
  %999 = sext i32 %998 to i64
  %1000 = getelementptr inbounds %struct.Complex_f64, ptr %675, i64 %999
  %1001 = getelementptr inbounds nuw i8, ptr %1000, i64 32
  %1002 = load <4 x double>, ptr %1001, align 32
  store <4 x double> %996, ptr %989, align 32
  %1003 = getelementptr inbounds nuw i8, ptr %989, i64 32
  store <4 x double> %1002, ptr %1003, align 32
  %1004 = add nuw nsw i64 %984, 1
  %1005 = icmp eq i64 %1004, %968
  br i1 %1005, label %1006, label %983

1006:
  %1007 = add nuw nsw i64 %672, 1
  %1008 = shl i64 %1007, 2
  %1009 = icmp eq i64 %672, %300
  br i1 %1009, label %325, label %670

1010:
  br label %1195

1011:
  %1012 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %1013 = load i64, ptr %1012, align 8
  %1014 = shl i64 %57, 8
  %1015 = add i64 %1014, 256
  %1016 = sdiv i64 %1013, 2
  %1017 = add nsw i64 %1016, 1
  %1018 = tail call i64 @llvm.smin.i64(i64 %1015, i64 %1017)
  %1019 = getelementptr inbounds nuw i8, ptr %0, i64 280
  %1020 = load ptr, ptr %1019, align 8
  %1021 = getelementptr inbounds nuw i8, ptr %0, i64 288
  %1022 = load ptr, ptr %1021, align 8
  %1023 = shl i64 %57, 4
  %1024 = getelementptr inbounds i8, ptr %1022, i64 %1023
  %1025 = icmp eq i64 %8, 1
  %1026 = icmp eq i64 %1014, 0
  br i1 %1026, label %1027, label %1041

1027:
  %1028 = load double, ptr %43, align 8
  %1029 = shl i64 %1013, 4
  %1030 = select i1 %1025, i64 8, i64 %1029
  %1031 = getelementptr inbounds i8, ptr %43, i64 %1030
  %1032 = load double, ptr %1031, align 8
  %1033 = fadd double %1028, %1032
  %1034 = fsub double %1028, %1032
  %1035 = select i1 %1025, double %1033, double %1034
  store double %1035, ptr %55, align 8
  %1036 = select i1 %1025, double 0.000000e+00, double %1033
  %1037 = getelementptr inbounds nuw i8, ptr %55, i64 8
  store double %1036, ptr %1037, align 8
  br i1 %1025, label %1038, label %1041

1038:
  %1039 = getelementptr inbounds i8, ptr %55, i64 %1029
  store double %1034, ptr %1039, align 8
  %1040 = getelementptr i8, ptr %1039, i64 8
  store double 0.000000e+00, ptr %1040, align 8
  br label %1041

1041:
  %1042 = phi i64 [ %1014, %1011 ], [ 1, %1038 ], [ 1, %1027 ]
  %1043 = icmp slt i64 %1042, %1018
  br i1 %1043, label %1044, label %1195

1044:
  %1045 = getelementptr inbounds nuw i8, ptr %1024, i64 8
  br label %1046

1046:
  %1047 = phi i64 [ %1042, %1044 ], [ %1055, %1193 ]
  %1048 = add nsw i64 %1047, 4
  %1049 = icmp sle i64 %1048, %1018
  %1050 = shl i64 %1047, 1
  %1051 = add i64 %1050, 6
  %1052 = icmp slt i64 %1051, %1013
  %1053 = select i1 %1049, i1 %1052, i1 false
  %1054 = select i1 %1053, i64 4, i64 1
  %1055 = add nsw i64 %1054, %1047
  %1056 = sub i64 %1013, %1055
  %1057 = add i64 %1056, 1
  %1058 = sub i64 %1047, %1014
  %1059 = shl i64 %1058, 4
  %1060 = getelementptr inbounds i8, ptr %1020, i64 %1059
  br i1 %1053, label %1061, label %1094

1061:
  %1062 = shl i64 %1047, 4
  %1063 = getelementptr inbounds i8, ptr %43, i64 %1062
  %1064 = load <4 x double>, ptr %1063, align 8
  %1065 = getelementptr inbounds nuw i8, ptr %1063, i64 32
  %1066 = load <4 x double>, ptr %1065, align 8
  %1067 = shufflevector <4 x double> %1064, <4 x double> %1066, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %1068 = shufflevector <4 x double> %1064, <4 x double> %1066, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %1069 = shl i64 %1057, 4
  %1070 = getelementptr inbounds i8, ptr %43, i64 %1069
  %1071 = load <4 x double>, ptr %1070, align 8
  %1072 = getelementptr inbounds nuw i8, ptr %1070, i64 32
  %1073 = load <4 x double>, ptr %1072, align 8
  %1074 = shufflevector <4 x double> %1073, <4 x double> %1071, <4 x i32> <i32 2, i32 0, i32 6, i32 4>
  %1075 = shufflevector <4 x double> %1073, <4 x double> %1071, <4 x i32> <i32 3, i32 1, i32 7, i32 5>
  %1076 = load <4 x double>, ptr %1060, align 8
  %1077 = getelementptr inbounds nuw i8, ptr %1060, i64 32
  %1078 = load <4 x double>, ptr %1077, align 8
  %1079 = shufflevector <4 x double> %1076, <4 x double> %1078, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %1080 = shufflevector <4 x double> %1076, <4 x double> %1078, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %1081 = load double, ptr %1024, align 8
  %1082 = insertelement <4 x double> poison, double %1081, i64 0
  %1083 = shufflevector <4 x double> %1082, <4 x double> poison, <4 x i32> zeroinitializer
  %1084 = load double, ptr %1045, align 8
  %1085 = insertelement <4 x double> poison, double %1084, i64 0
  %1086 = fneg double %1084
  %1087 = insertelement <4 x double> poison, double %1086, i64 0
  %1088 = shufflevector <4 x double> %1087, <4 x double> poison, <4 x i32> zeroinitializer
  %1089 = fmul <4 x double> %1080, %1088
  %1090 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1079, <4 x double> %1083, <4 x double> %1089)
  %1091 = shufflevector <4 x double> %1085, <4 x double> poison, <4 x i32> zeroinitializer
  %1092 = fmul <4 x double> %1079, %1091
  %1093 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1080, <4 x double> %1083, <4 x double> %1092)
  br label %1132

1094:
  %1095 = getelementptr inbounds double, ptr %43, i64 %1050
  %1096 = load double, ptr %1095, align 8
  %1097 = fadd double %1096, 0.000000e+00
  %1098 = insertelement <4 x double> poison, double %1097, i64 0
  %1099 = shufflevector <4 x double> %1098, <4 x double> poison, <4 x i32> zeroinitializer
  %1100 = getelementptr i8, ptr %1095, i64 8
  %1101 = load double, ptr %1100, align 8
  %1102 = fadd double %1101, 0.000000e+00
  %1103 = insertelement <4 x double> poison, double %1102, i64 0
  %1104 = shufflevector <4 x double> %1103, <4 x double> poison, <4 x i32> zeroinitializer
  %1105 = shl i64 %1057, 4
  %1106 = getelementptr inbounds i8, ptr %43, i64 %1105
  %1107 = load double, ptr %1106, align 8
  %1108 = fadd double %1107, 0.000000e+00
  %1109 = insertelement <4 x double> poison, double %1108, i64 0
  %1110 = shufflevector <4 x double> %1109, <4 x double> poison, <4 x i32> zeroinitializer
  %1111 = getelementptr i8, ptr %1106, i64 8
  %1112 = load double, ptr %1111, align 8
  %1113 = fadd double %1112, 0.000000e+00
  %1114 = insertelement <4 x double> poison, double %1113, i64 0
  %1115 = shufflevector <4 x double> %1114, <4 x double> poison, <4 x i32> zeroinitializer
  %1116 = load double, ptr %1060, align 8
  %1117 = fadd double %1116, 0.000000e+00
  %1118 = getelementptr inbounds nuw i8, ptr %1060, i64 8
  %1119 = load double, ptr %1118, align 8
  %1120 = fadd double %1119, 0.000000e+00
  %1121 = load double, ptr %1024, align 8
  %1122 = load double, ptr %1045, align 8
  %1123 = fneg double %1122
  %1124 = fmul double %1120, %1123
  %1125 = tail call double @llvm.fmuladd.f64(double %1117, double %1121, double %1124)
  %1126 = insertelement <4 x double> poison, double %1125, i64 0
  %1127 = shufflevector <4 x double> %1126, <4 x double> poison, <4 x i32> zeroinitializer
  %1128 = fmul double %1117, %1122
  %1129 = tail call double @llvm.fmuladd.f64(double %1120, double %1121, double %1128)
  %1130 = insertelement <4 x double> poison, double %1129, i64 0
  %1131 = shufflevector <4 x double> %1130, <4 x double> poison, <4 x i32> zeroinitializer
  br label %1132

1132:
  %1133 = phi <4 x double> [ %1090, %1061 ], [ %1127, %1094 ]
  %1134 = phi <4 x double> [ %1093, %1061 ], [ %1131, %1094 ]
  %1135 = phi <4 x double> [ %1074, %1061 ], [ %1110, %1094 ]
  %1136 = phi <4 x double> [ %1075, %1061 ], [ %1115, %1094 ]
  %1137 = phi <4 x double> [ %1067, %1061 ], [ %1099, %1094 ]
  %1138 = phi <4 x double> [ %1068, %1061 ], [ %1104, %1094 ]
  %1139 = fadd <4 x double> %1135, %1137
  %1140 = fsub <4 x double> %1138, %1136
  br i1 %1025, label %1141, label %1157

1141:
  %1142 = fadd <4 x double> %1136, %1138
  %1143 = fsub <4 x double> %1135, %1137
  %1144 = fneg <4 x double> %1134
  %1145 = fmul <4 x double> %1143, %1144
  %1146 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1142, <4 x double> %1133, <4 x double> %1145)
  %1147 = fmul <4 x double> %1134, %1142
  %1148 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1143, <4 x double> %1133, <4 x double> %1147)
  %1149 = fadd <4 x double> %1139, %1146
  %1150 = fadd <4 x double> %1140, %1148
  %1151 = fmul <4 x double> %1149, splat (double 5.000000e-01)
  %1152 = fmul <4 x double> %1150, splat (double 5.000000e-01)
  %1153 = fsub <4 x double> %1139, %1146
  %1154 = fsub <4 x double> %1148, %1140
  %1155 = fmul <4 x double> %1153, splat (double 5.000000e-01)
  %1156 = fmul <4 x double> %1154, splat (double 5.000000e-01)
  br label %1169

1157:
  %1158 = fsub <4 x double> %1137, %1135
  %1159 = fadd <4 x double> %1136, %1138
  %1160 = fmul <4 x double> %1134, %1159
  %1161 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1158, <4 x double> %1133, <4 x double> %1160)
  %1162 = fneg <4 x double> %1134
  %1163 = fmul <4 x double> %1158, %1162
  %1164 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1159, <4 x double> %1133, <4 x double> %1163)
  %1165 = fadd <4 x double> %1140, %1161
  %1166 = fsub <4 x double> %1139, %1164
  %1167 = fsub <4 x double> %1161, %1140
  %1168 = fadd <4 x double> %1139, %1164
  br label %1169

1169:
  %1170 = phi <4 x double> [ %1155, %1141 ], [ %1167, %1157 ]
  %1171 = phi <4 x double> [ %1156, %1141 ], [ %1168, %1157 ]
  %1172 = phi <4 x double> [ %1151, %1141 ], [ %1165, %1157 ]
  %1173 = phi <4 x double> [ %1152, %1141 ], [ %1166, %1157 ]
  %1174 = shl i64 %1057, 4
  %1175 = getelementptr inbounds i8, ptr %55, i64 %1174
  br i1 %1053, label %1176, label %1185

1176:
  %1177 = shl i64 %1047, 4
  %1178 = getelementptr inbounds i8, ptr %55, i64 %1177
  %1179 = shufflevector <4 x double> %1172, <4 x double> %1173, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  store <4 x double> %1179, ptr %1178, align 8
  %1180 = shufflevector <4 x double> %1172, <4 x double> %1173, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %1181 = getelementptr inbounds nuw i8, ptr %1178, i64 32
  store <4 x double> %1180, ptr %1181, align 8
  %1182 = shufflevector <4 x double> %1170, <4 x double> %1171, <4 x i32> <i32 3, i32 7, i32 2, i32 6>
  store <4 x double> %1182, ptr %1175, align 8
  %1183 = shufflevector <4 x double> %1170, <4 x double> %1171, <4 x i32> <i32 1, i32 5, i32 0, i32 4>
  %1184 = getelementptr inbounds nuw i8, ptr %1175, i64 32
  store <4 x double> %1183, ptr %1184, align 8
  br label %1193

1185:
  %1186 = extractelement <4 x double> %1172, i64 0
  %1187 = getelementptr inbounds double, ptr %55, i64 %1050
  store double %1186, ptr %1187, align 8
  %1188 = extractelement <4 x double> %1173, i64 0
  %1189 = getelementptr i8, ptr %1187, i64 8
  store double %1188, ptr %1189, align 8
  %1190 = extractelement <4 x double> %1170, i64 0
  store double %1190, ptr %1175, align 8
  %1191 = extractelement <4 x double> %1171, i64 0
  %1192 = getelementptr i8, ptr %1175, i64 8
  store double %1191, ptr %1192, align 8
  br label %1193

1193:
  %1194 = icmp slt i64 %1055, %1018
  br i1 %1194, label %1046, label %1195

1195:
  ret void
}

define void @begin(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %8 = load i64, ptr %7, align 8
  %9 = icmp sgt i64 %8, 0
  br i1 %9, label %10, label %12

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 40
  br label %13

12:
  ret void

13:
  %14 = phi i64 [ 0, %10 ], [ %17, %13 ]
  %15 = load ptr, ptr %11, align 8
  %16 = getelementptr inbounds nuw i32, ptr %15, i64 %14
  store i32 0, ptr %16, align 4
  %17 = add nuw nsw i64 %14, 1
  %18 = icmp eq i64 %17, %8
  br i1 %18, label %12, label %13
}

define internal fastcc void @stages_f32(ptr %0, ptr %1) nounwind {
  %3 = alloca [18 x %struct.Complex_f32], align 32
  %4 = alloca [18 x %struct.Complex_f32], align 32
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 296
  %8 = load i64, ptr %7, align 8
  %9 = icmp sgt i64 %8, 0
  br i1 %9, label %10, label %15

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 304
  %14 = icmp sgt i64 %6, 0
  br label %16

15:
  ret void

16:
  %17 = phi i64 [ %6, %10 ], [ %991, %989 ]
  %18 = phi ptr [ %12, %10 ], [ %995, %989 ]
  %19 = phi i64 [ 0, %10 ], [ %996, %989 ]
  %20 = getelementptr inbounds nuw i64, ptr %13, i64 %19
  %21 = load i64, ptr %20, align 8
  %22 = icmp eq i64 %17, %21
  %23 = icmp sgt i64 %21, 8
  %24 = icmp eq i64 %21, 7
  %25 = or i1 %23, %24
  br i1 %25, label %26, label %179

26:
  %27 = shl i64 %21, 3
  %28 = getelementptr inbounds i8, ptr %18, i64 %27
  %29 = sdiv i64 %17, %21
  br i1 %14, label %30, label %989

30:
  %31 = icmp sgt i64 %29, 0
  %32 = shl nuw i64 %21, 1
  %33 = add i64 %32, -2
  %34 = icmp eq i64 %29, 1
  %35 = add nsw i64 %21, -3
  %36 = lshr i64 %35, 1
  %37 = add nuw nsw i64 %36, 2
  br label %38

38:
  %39 = phi i64 [ 0, %30 ], [ %43, %42 ]
  br i1 %31, label %40, label %42

40:
  %41 = getelementptr inbounds %struct.Complex_f32, ptr %1, i64 %39
  br label %45

42:
  %43 = add i64 %39, %17
  %44 = icmp slt i64 %43, %6
  br i1 %44, label %38, label %989

45:
  %46 = phi i64 [ 0, %40 ], [ %88, %87 ]
  %47 = getelementptr inbounds nuw %struct.Complex_f32, ptr %41, i64 %46
  %48 = load <8 x float>, ptr %47, align 32
  %49 = getelementptr inbounds nuw i8, ptr %47, i64 32
  %50 = load <8 x float>, ptr %49, align 32
  br label %55

51:
  %52 = mul i64 %46, %33
  %53 = getelementptr inbounds float, ptr %28, i64 %52
  %54 = getelementptr inbounds i8, ptr %53, i64 -8
  store <8 x float> %80, ptr %47, align 32
  store <8 x float> %81, ptr %49, align 32
  br label %84

55:
  %56 = phi i64 [ %82, %55 ], [ 1, %45 ]
  %57 = phi <8 x float> [ %81, %55 ], [ %50, %45 ]
  %58 = phi <8 x float> [ %80, %55 ], [ %48, %45 ]
  %59 = add nsw i64 %56, -1
  %60 = getelementptr inbounds %struct.Complex_f32, ptr %3, i64 %59
  %61 = mul i64 %56, %29
  %62 = getelementptr inbounds %struct.Complex_f32, ptr %47, i64 %61
  %63 = sub nsw i64 %21, %56
  %64 = mul i64 %63, %29
  %65 = getelementptr inbounds %struct.Complex_f32, ptr %47, i64 %64
  %66 = load <8 x float>, ptr %65, align 32
  %67 = getelementptr inbounds nuw i8, ptr %65, i64 32
  %68 = load <8 x float>, ptr %67, align 32
  %69 = load <8 x float>, ptr %62, align 32
  %70 = getelementptr inbounds nuw i8, ptr %62, i64 32
  %71 = load <8 x float>, ptr %70, align 32
  %72 = fadd <8 x float> %66, %69
  %73 = fadd <8 x float> %68, %71
  store <8 x float> %72, ptr %60, align 32
  %74 = getelementptr inbounds nuw i8, ptr %60, i64 32
  store <8 x float> %73, ptr %74, align 32
  %75 = getelementptr inbounds %struct.Complex_f32, ptr %4, i64 %59
  %76 = fsub <8 x float> %69, %66
  %77 = fsub <8 x float> %71, %68
  %78 = fneg <8 x float> %76
  store <8 x float> %77, ptr %75, align 32
  %79 = getelementptr inbounds nuw i8, ptr %75, i64 32
  store <8 x float> %78, ptr %79, align 32
  %80 = fadd <8 x float> %58, %72
  %81 = fadd <8 x float> %57, %73
  %82 = add nuw nsw i64 %56, 1
  %83 = icmp eq i64 %82, %37
  br i1 %83, label %51, label %55

84:
  %85 = phi i64 [ %142, %137 ], [ 2, %51 ]
  %86 = phi i64 [ %141, %137 ], [ 1, %51 ]
  br label %144

87:
  %88 = add nuw nsw i64 %46, 1
  %89 = icmp eq i64 %88, %29
  br i1 %89, label %42, label %45

90:
  %91 = mul i64 %86, %29
  %92 = getelementptr inbounds %struct.Complex_f32, ptr %47, i64 %91
  %93 = fadd <8 x float> %159, %169
  %94 = fadd <8 x float> %162, %172
  br i1 %34, label %111, label %95

95:
  %96 = getelementptr inbounds float, ptr %54, i64 %85
  %97 = load float, ptr %96, align 4
  %98 = insertelement <8 x float> poison, float %97, i64 0
  %99 = shufflevector <8 x float> %98, <8 x float> poison, <8 x i32> zeroinitializer
  %100 = getelementptr inbounds nuw i8, ptr %96, i64 4
  %101 = load float, ptr %100, align 4
  %102 = insertelement <8 x float> poison, float %101, i64 0
  %103 = fneg float %101
  %104 = insertelement <8 x float> poison, float %103, i64 0
  %105 = shufflevector <8 x float> %104, <8 x float> poison, <8 x i32> zeroinitializer
  %106 = fmul <8 x float> %94, %105
  %107 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %93, <8 x float> %99, <8 x float> %106)
  %108 = shufflevector <8 x float> %102, <8 x float> poison, <8 x i32> zeroinitializer
  %109 = fmul <8 x float> %93, %108
  %110 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %94, <8 x float> %99, <8 x float> %109)
  br label %111

111:
  %112 = phi <8 x float> [ %110, %95 ], [ %94, %90 ]
  %113 = phi <8 x float> [ %107, %95 ], [ %93, %90 ]
  store <8 x float> %113, ptr %92, align 32
  %114 = getelementptr inbounds nuw i8, ptr %92, i64 32
  store <8 x float> %112, ptr %114, align 32
  %115 = sub nsw i64 %21, %86
  %116 = mul i64 %115, %29
  %117 = getelementptr inbounds %struct.Complex_f32, ptr %47, i64 %116
  %118 = fsub <8 x float> %159, %169
  %119 = fsub <8 x float> %162, %172
  br i1 %34, label %137, label %120

120:
  %121 = shl i64 %115, 3
  %122 = getelementptr inbounds i8, ptr %54, i64 %121
  %123 = load float, ptr %122, align 4
  %124 = insertelement <8 x float> poison, float %123, i64 0
  %125 = shufflevector <8 x float> %124, <8 x float> poison, <8 x i32> zeroinitializer
  %126 = getelementptr inbounds nuw i8, ptr %122, i64 4
  %127 = load float, ptr %126, align 4
  %128 = insertelement <8 x float> poison, float %127, i64 0
  %129 = fneg float %127
  %130 = insertelement <8 x float> poison, float %129, i64 0
  %131 = shufflevector <8 x float> %130, <8 x float> poison, <8 x i32> zeroinitializer
  %132 = fmul <8 x float> %119, %131
  %133 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %118, <8 x float> %125, <8 x float> %132)
  %134 = shufflevector <8 x float> %128, <8 x float> poison, <8 x i32> zeroinitializer
  %135 = fmul <8 x float> %118, %134
  %136 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %119, <8 x float> %125, <8 x float> %135)
  br label %137

137:
  %138 = phi <8 x float> [ %136, %120 ], [ %119, %111 ]
  %139 = phi <8 x float> [ %133, %120 ], [ %118, %111 ]
  store <8 x float> %139, ptr %117, align 32
  %140 = getelementptr inbounds nuw i8, ptr %117, i64 32
  store <8 x float> %138, ptr %140, align 32
  %141 = add nuw nsw i64 %86, 1
  %142 = shl nuw i64 %141, 1
  %143 = icmp eq i64 %141, %37
  br i1 %143, label %87, label %84

144:
  %145 = phi i64 [ %86, %84 ], [ %177, %144 ]
  %146 = phi i64 [ 1, %84 ], [ %173, %144 ]
  %147 = phi <8 x float> [ %50, %84 ], [ %162, %144 ]
  %148 = phi <8 x float> [ %48, %84 ], [ %159, %144 ]
  %149 = phi <8 x float> [ zeroinitializer, %84 ], [ %169, %144 ]
  %150 = phi <8 x float> [ zeroinitializer, %84 ], [ %172, %144 ]
  %151 = add nsw i64 %146, -1
  %152 = getelementptr inbounds %struct.Complex_f32, ptr %3, i64 %151
  %153 = load <8 x float>, ptr %152, align 32
  %154 = shl i64 %145, 3
  %155 = getelementptr inbounds i8, ptr %18, i64 %154
  %156 = load float, ptr %155, align 4
  %157 = insertelement <8 x float> poison, float %156, i64 0
  %158 = shufflevector <8 x float> %157, <8 x float> poison, <8 x i32> zeroinitializer
  %159 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %153, <8 x float> %158, <8 x float> %148)
  %160 = getelementptr inbounds nuw i8, ptr %152, i64 32
  %161 = load <8 x float>, ptr %160, align 32
  %162 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %161, <8 x float> %158, <8 x float> %147)
  %163 = getelementptr inbounds %struct.Complex_f32, ptr %4, i64 %151
  %164 = load <8 x float>, ptr %163, align 32
  %165 = getelementptr i8, ptr %155, i64 4
  %166 = load float, ptr %165, align 4
  %167 = insertelement <8 x float> poison, float %166, i64 0
  %168 = shufflevector <8 x float> %167, <8 x float> poison, <8 x i32> zeroinitializer
  %169 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %164, <8 x float> %168, <8 x float> %149)
  %170 = getelementptr inbounds nuw i8, ptr %163, i64 32
  %171 = load <8 x float>, ptr %170, align 32
  %172 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %171, <8 x float> %168, <8 x float> %150)
  %173 = add nuw nsw i64 %146, 1
  %174 = add i64 %145, %86
  %175 = icmp slt i64 %174, %21
  %176 = select i1 %175, i64 0, i64 %21
  %177 = sub i64 %174, %176
  %178 = icmp eq i64 %173, %37
  br i1 %178, label %90, label %144

179:
  switch i64 %21, label %989 [
    i64 2, label %180
    i64 3, label %241
    i64 4, label %346
    i64 5, label %479
    i64 8, label %678
  ]

180:
  br i1 %22, label %181, label %198

181:
  br i1 %14, label %182, label %989

182:
  %183 = phi i64 [ %196, %182 ], [ 0, %181 ]
  %184 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1, i64 %183
  %185 = load <8 x float>, ptr %184, align 32
  %186 = getelementptr inbounds nuw i8, ptr %184, i64 32
  %187 = load <8 x float>, ptr %186, align 32
  %188 = getelementptr inbounds nuw i8, ptr %184, i64 64
  %189 = load <8 x float>, ptr %188, align 32
  %190 = getelementptr inbounds nuw i8, ptr %184, i64 96
  %191 = load <8 x float>, ptr %190, align 32
  %192 = fadd <8 x float> %185, %189
  %193 = fadd <8 x float> %187, %191
  store <8 x float> %192, ptr %184, align 32
  store <8 x float> %193, ptr %186, align 32
  %194 = fsub <8 x float> %185, %189
  %195 = fsub <8 x float> %187, %191
  store <8 x float> %194, ptr %188, align 32
  store <8 x float> %195, ptr %190, align 32
  %196 = add nuw nsw i64 %183, 2
  %197 = icmp slt i64 %196, %6
  br i1 %197, label %182, label %989

198:
  %199 = sdiv i64 %17, 2
  br i1 %14, label %200, label %989

200:
  %201 = icmp sgt i64 %17, 1
  br label %202

202:
  %203 = phi i64 [ 0, %200 ], [ %207, %206 ]
  br i1 %201, label %204, label %206

204:
  %205 = getelementptr inbounds %struct.Complex_f32, ptr %1, i64 %203
  br label %209

206:
  %207 = add i64 %203, %17
  %208 = icmp slt i64 %207, %6
  br i1 %208, label %202, label %989

209:
  %210 = phi i64 [ 0, %204 ], [ %239, %209 ]
  %211 = getelementptr inbounds nuw %struct.Complex_f32, ptr %205, i64 %210
  %212 = load <8 x float>, ptr %211, align 32
  %213 = getelementptr inbounds nuw i8, ptr %211, i64 32
  %214 = load <8 x float>, ptr %213, align 32
  %215 = getelementptr inbounds nuw %struct.Complex_f32, ptr %211, i64 %199
  %216 = load <8 x float>, ptr %215, align 32
  %217 = getelementptr inbounds nuw i8, ptr %215, i64 32
  %218 = load <8 x float>, ptr %217, align 32
  %219 = fadd <8 x float> %212, %216
  %220 = fadd <8 x float> %214, %218
  store <8 x float> %219, ptr %211, align 32
  store <8 x float> %220, ptr %213, align 32
  %221 = fsub <8 x float> %212, %216
  %222 = fsub <8 x float> %214, %218
  %223 = shl i64 %210, 3
  %224 = getelementptr inbounds i8, ptr %18, i64 %223
  %225 = load float, ptr %224, align 4
  %226 = insertelement <8 x float> poison, float %225, i64 0
  %227 = shufflevector <8 x float> %226, <8 x float> poison, <8 x i32> zeroinitializer
  %228 = getelementptr inbounds nuw i8, ptr %224, i64 4
  %229 = load float, ptr %228, align 4
  %230 = insertelement <8 x float> poison, float %229, i64 0
  %231 = fneg float %229
  %232 = insertelement <8 x float> poison, float %231, i64 0
  %233 = shufflevector <8 x float> %232, <8 x float> poison, <8 x i32> zeroinitializer
  %234 = fmul <8 x float> %222, %233
  %235 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %221, <8 x float> %227, <8 x float> %234)
  %236 = shufflevector <8 x float> %230, <8 x float> poison, <8 x i32> zeroinitializer
  %237 = fmul <8 x float> %221, %236
  %238 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %222, <8 x float> %227, <8 x float> %237)
  store <8 x float> %235, ptr %215, align 32
  store <8 x float> %238, ptr %217, align 32
  %239 = add nuw nsw i64 %210, 1
  %240 = icmp eq i64 %239, %199
  br i1 %240, label %206, label %209

241:
  br i1 %22, label %242, label %273

242:
  br i1 %14, label %243, label %989

243:
  %244 = phi i64 [ %271, %243 ], [ 0, %242 ]
  %245 = getelementptr inbounds %struct.Complex_f32, ptr %1, i64 %244
  %246 = load <8 x float>, ptr %245, align 32
  %247 = getelementptr inbounds nuw i8, ptr %245, i64 32
  %248 = load <8 x float>, ptr %247, align 32
  %249 = getelementptr inbounds nuw i8, ptr %245, i64 64
  %250 = getelementptr inbounds nuw i8, ptr %245, i64 128
  %251 = load <8 x float>, ptr %250, align 32
  %252 = getelementptr inbounds nuw i8, ptr %245, i64 160
  %253 = load <8 x float>, ptr %252, align 32
  %254 = load <8 x float>, ptr %249, align 32
  %255 = getelementptr inbounds nuw i8, ptr %245, i64 96
  %256 = load <8 x float>, ptr %255, align 32
  %257 = fadd <8 x float> %251, %254
  %258 = fadd <8 x float> %253, %256
  %259 = fsub <8 x float> %254, %251
  %260 = fsub <8 x float> %256, %253
  %261 = fmul <8 x float> %260, splat (float 0x3FEBB67AE0000000)
  %262 = fmul <8 x float> %259, splat (float 0xBFEBB67AE0000000)
  %263 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %257, <8 x float> splat (float -5.000000e-01), <8 x float> %246)
  %264 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %258, <8 x float> splat (float -5.000000e-01), <8 x float> %248)
  %265 = fadd <8 x float> %246, %257
  %266 = fadd <8 x float> %248, %258
  store <8 x float> %265, ptr %245, align 32
  store <8 x float> %266, ptr %247, align 32
  %267 = fadd <8 x float> %263, %261
  %268 = fadd <8 x float> %262, %264
  store <8 x float> %267, ptr %249, align 32
  store <8 x float> %268, ptr %255, align 32
  %269 = fsub <8 x float> %263, %261
  %270 = fsub <8 x float> %264, %262
  store <8 x float> %269, ptr %250, align 32
  store <8 x float> %270, ptr %252, align 32
  %271 = add i64 %244, 3
  %272 = icmp slt i64 %271, %6
  br i1 %272, label %243, label %989

273:
  %274 = sdiv i64 %17, 3
  br i1 %14, label %275, label %989

275:
  %276 = icmp sgt i64 %17, 2
  %277 = shl nsw i64 %274, 7
  br label %278

278:
  %279 = phi i64 [ 0, %275 ], [ %283, %282 ]
  br i1 %276, label %280, label %282

280:
  %281 = getelementptr inbounds %struct.Complex_f32, ptr %1, i64 %279
  br label %285

282:
  %283 = add i64 %279, %17
  %284 = icmp slt i64 %283, %6
  br i1 %284, label %278, label %989

285:
  %286 = phi i64 [ 0, %280 ], [ %344, %285 ]
  %287 = getelementptr inbounds nuw %struct.Complex_f32, ptr %281, i64 %286
  %288 = load <8 x float>, ptr %287, align 32
  %289 = getelementptr inbounds nuw i8, ptr %287, i64 32
  %290 = load <8 x float>, ptr %289, align 32
  %291 = getelementptr inbounds nuw %struct.Complex_f32, ptr %287, i64 %274
  %292 = getelementptr inbounds nuw i8, ptr %287, i64 %277
  %293 = load <8 x float>, ptr %292, align 32
  %294 = getelementptr inbounds nuw i8, ptr %292, i64 32
  %295 = load <8 x float>, ptr %294, align 32
  %296 = load <8 x float>, ptr %291, align 32
  %297 = getelementptr inbounds nuw i8, ptr %291, i64 32
  %298 = load <8 x float>, ptr %297, align 32
  %299 = fadd <8 x float> %293, %296
  %300 = fadd <8 x float> %295, %298
  %301 = fsub <8 x float> %296, %293
  %302 = fsub <8 x float> %298, %295
  %303 = fmul <8 x float> %302, splat (float 0x3FEBB67AE0000000)
  %304 = fmul <8 x float> %301, splat (float 0xBFEBB67AE0000000)
  %305 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %299, <8 x float> splat (float -5.000000e-01), <8 x float> %288)
  %306 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %300, <8 x float> splat (float -5.000000e-01), <8 x float> %290)
  %307 = shl i64 %286, 4
  %308 = getelementptr inbounds i8, ptr %18, i64 %307
  %309 = fadd <8 x float> %288, %299
  %310 = fadd <8 x float> %290, %300
  store <8 x float> %309, ptr %287, align 32
  store <8 x float> %310, ptr %289, align 32
  %311 = fadd <8 x float> %305, %303
  %312 = fadd <8 x float> %304, %306
  %313 = load float, ptr %308, align 4
  %314 = insertelement <8 x float> poison, float %313, i64 0
  %315 = shufflevector <8 x float> %314, <8 x float> poison, <8 x i32> zeroinitializer
  %316 = getelementptr inbounds nuw i8, ptr %308, i64 4
  %317 = load float, ptr %316, align 4
  %318 = insertelement <8 x float> poison, float %317, i64 0
  %319 = fneg float %317
  %320 = insertelement <8 x float> poison, float %319, i64 0
  %321 = shufflevector <8 x float> %320, <8 x float> poison, <8 x i32> zeroinitializer
  %322 = fmul <8 x float> %312, %321
  %323 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %311, <8 x float> %315, <8 x float> %322)
  %324 = shufflevector <8 x float> %318, <8 x float> poison, <8 x i32> zeroinitializer
  %325 = fmul <8 x float> %311, %324
  %326 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %312, <8 x float> %315, <8 x float> %325)
  store <8 x float> %323, ptr %291, align 32
  store <8 x float> %326, ptr %297, align 32
  %327 = fsub <8 x float> %305, %303
  %328 = fsub <8 x float> %306, %304
  %329 = getelementptr inbounds nuw i8, ptr %308, i64 8
  %330 = load float, ptr %329, align 4
  %331 = insertelement <8 x float> poison, float %330, i64 0
  %332 = shufflevector <8 x float> %331, <8 x float> poison, <8 x i32> zeroinitializer
  %333 = getelementptr inbounds nuw i8, ptr %308, i64 12
  %334 = load float, ptr %333, align 4
  %335 = insertelement <8 x float> poison, float %334, i64 0
  %336 = fneg float %334
  %337 = insertelement <8 x float> poison, float %336, i64 0
  %338 = shufflevector <8 x float> %337, <8 x float> poison, <8 x i32> zeroinitializer
  %339 = fmul <8 x float> %328, %338
  %340 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %327, <8 x float> %332, <8 x float> %339)
  %341 = shufflevector <8 x float> %335, <8 x float> poison, <8 x i32> zeroinitializer
  %342 = fmul <8 x float> %327, %341
  %343 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %328, <8 x float> %332, <8 x float> %342)
  store <8 x float> %340, ptr %292, align 32
  store <8 x float> %343, ptr %294, align 32
  %344 = add nuw nsw i64 %286, 1
  %345 = icmp eq i64 %344, %274
  br i1 %345, label %282, label %285

346:
  br i1 %22, label %347, label %384

347:
  br i1 %14, label %348, label %989

348:
  %349 = phi i64 [ %382, %348 ], [ 0, %347 ]
  %350 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1, i64 %349
  %351 = getelementptr inbounds nuw i8, ptr %350, i64 64
  %352 = getelementptr inbounds nuw i8, ptr %350, i64 128
  %353 = getelementptr inbounds nuw i8, ptr %350, i64 192
  %354 = load <8 x float>, ptr %353, align 32
  %355 = getelementptr inbounds nuw i8, ptr %350, i64 224
  %356 = load <8 x float>, ptr %355, align 32
  %357 = load <8 x float>, ptr %352, align 32
  %358 = getelementptr inbounds nuw i8, ptr %350, i64 160
  %359 = load <8 x float>, ptr %358, align 32
  %360 = load <8 x float>, ptr %351, align 32
  %361 = getelementptr inbounds nuw i8, ptr %350, i64 96
  %362 = load <8 x float>, ptr %361, align 32
  %363 = load <8 x float>, ptr %350, align 32
  %364 = getelementptr inbounds nuw i8, ptr %350, i64 32
  %365 = load <8 x float>, ptr %364, align 32
  %366 = fadd <8 x float> %357, %363
  %367 = fadd <8 x float> %359, %365
  %368 = fsub <8 x float> %363, %357
  %369 = fsub <8 x float> %365, %359
  %370 = fadd <8 x float> %354, %360
  %371 = fadd <8 x float> %356, %362
  %372 = fsub <8 x float> %360, %354
  %373 = fsub <8 x float> %362, %356
  %374 = fadd <8 x float> %370, %366
  %375 = fadd <8 x float> %371, %367
  %376 = fadd <8 x float> %373, %368
  %377 = fsub <8 x float> %369, %372
  %378 = fsub <8 x float> %366, %370
  %379 = fsub <8 x float> %367, %371
  %380 = fsub <8 x float> %368, %373
  %381 = fadd <8 x float> %372, %369
  store <8 x float> %374, ptr %350, align 32
  store <8 x float> %375, ptr %364, align 32
  store <8 x float> %376, ptr %351, align 32
  store <8 x float> %377, ptr %361, align 32
  store <8 x float> %378, ptr %352, align 32
  store <8 x float> %379, ptr %358, align 32
  store <8 x float> %380, ptr %353, align 32
  store <8 x float> %381, ptr %355, align 32
  %382 = add nuw nsw i64 %349, 4
  %383 = icmp slt i64 %382, %6
  br i1 %383, label %348, label %989

384:
  %385 = sdiv i64 %17, 4
  br i1 %14, label %386, label %989

386:
  %387 = icmp sgt i64 %17, 3
  %388 = shl nsw i64 %385, 7
  %389 = mul nsw i64 %385, 192
  br label %390

390:
  %391 = phi i64 [ 0, %386 ], [ %395, %394 ]
  br i1 %387, label %392, label %394

392:
  %393 = getelementptr inbounds %struct.Complex_f32, ptr %1, i64 %391
  br label %397

394:
  %395 = add i64 %391, %17
  %396 = icmp slt i64 %395, %6
  br i1 %396, label %390, label %989

397:
  %398 = phi i64 [ 0, %392 ], [ %477, %397 ]
  %399 = getelementptr inbounds nuw %struct.Complex_f32, ptr %393, i64 %398
  %400 = mul i64 %398, 24
  %401 = getelementptr inbounds i8, ptr %18, i64 %400
  %402 = getelementptr inbounds nuw %struct.Complex_f32, ptr %399, i64 %385
  %403 = getelementptr inbounds nuw i8, ptr %399, i64 %388
  %404 = getelementptr inbounds nuw i8, ptr %399, i64 %389
  %405 = load <8 x float>, ptr %404, align 32
  %406 = getelementptr inbounds nuw i8, ptr %404, i64 32
  %407 = load <8 x float>, ptr %406, align 32
  %408 = load <8 x float>, ptr %403, align 32
  %409 = getelementptr inbounds nuw i8, ptr %403, i64 32
  %410 = load <8 x float>, ptr %409, align 32
  %411 = load <8 x float>, ptr %402, align 32
  %412 = getelementptr inbounds nuw i8, ptr %402, i64 32
  %413 = load <8 x float>, ptr %412, align 32
  %414 = load <8 x float>, ptr %399, align 32
  %415 = getelementptr inbounds nuw i8, ptr %399, i64 32
  %416 = load <8 x float>, ptr %415, align 32
  %417 = fadd <8 x float> %408, %414
  %418 = fadd <8 x float> %410, %416
  %419 = fsub <8 x float> %414, %408
  %420 = fsub <8 x float> %416, %410
  %421 = fadd <8 x float> %405, %411
  %422 = fadd <8 x float> %407, %413
  %423 = fsub <8 x float> %411, %405
  %424 = fsub <8 x float> %413, %407
  %425 = fadd <8 x float> %421, %417
  %426 = fadd <8 x float> %422, %418
  %427 = fadd <8 x float> %424, %419
  %428 = fsub <8 x float> %420, %423
  %429 = fsub <8 x float> %417, %421
  %430 = fsub <8 x float> %418, %422
  %431 = fsub <8 x float> %419, %424
  %432 = fadd <8 x float> %423, %420
  store <8 x float> %425, ptr %399, align 32
  store <8 x float> %426, ptr %415, align 32
  %433 = load float, ptr %401, align 4
  %434 = insertelement <8 x float> poison, float %433, i64 0
  %435 = shufflevector <8 x float> %434, <8 x float> poison, <8 x i32> zeroinitializer
  %436 = getelementptr inbounds nuw i8, ptr %401, i64 4
  %437 = load float, ptr %436, align 4
  %438 = insertelement <8 x float> poison, float %437, i64 0
  %439 = fneg float %437
  %440 = insertelement <8 x float> poison, float %439, i64 0
  %441 = shufflevector <8 x float> %440, <8 x float> poison, <8 x i32> zeroinitializer
  %442 = fmul <8 x float> %428, %441
  %443 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %427, <8 x float> %435, <8 x float> %442)
  %444 = shufflevector <8 x float> %438, <8 x float> poison, <8 x i32> zeroinitializer
  %445 = fmul <8 x float> %427, %444
  %446 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %428, <8 x float> %435, <8 x float> %445)
  store <8 x float> %443, ptr %402, align 32
  store <8 x float> %446, ptr %412, align 32
  %447 = getelementptr inbounds nuw i8, ptr %401, i64 8
  %448 = load float, ptr %447, align 4
  %449 = insertelement <8 x float> poison, float %448, i64 0
  %450 = shufflevector <8 x float> %449, <8 x float> poison, <8 x i32> zeroinitializer
  %451 = getelementptr inbounds nuw i8, ptr %401, i64 12
  %452 = load float, ptr %451, align 4
  %453 = insertelement <8 x float> poison, float %452, i64 0
  %454 = fneg float %452
  %455 = insertelement <8 x float> poison, float %454, i64 0
  %456 = shufflevector <8 x float> %455, <8 x float> poison, <8 x i32> zeroinitializer
  %457 = fmul <8 x float> %430, %456
  %458 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %429, <8 x float> %450, <8 x float> %457)
  %459 = shufflevector <8 x float> %453, <8 x float> poison, <8 x i32> zeroinitializer
  %460 = fmul <8 x float> %429, %459
  %461 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %430, <8 x float> %450, <8 x float> %460)
  store <8 x float> %458, ptr %403, align 32
  store <8 x float> %461, ptr %409, align 32
  %462 = getelementptr inbounds nuw i8, ptr %401, i64 16
  %463 = load float, ptr %462, align 4
  %464 = insertelement <8 x float> poison, float %463, i64 0
  %465 = shufflevector <8 x float> %464, <8 x float> poison, <8 x i32> zeroinitializer
  %466 = getelementptr inbounds nuw i8, ptr %401, i64 20
  %467 = load float, ptr %466, align 4
  %468 = insertelement <8 x float> poison, float %467, i64 0
  %469 = fneg float %467
  %470 = insertelement <8 x float> poison, float %469, i64 0
  %471 = shufflevector <8 x float> %470, <8 x float> poison, <8 x i32> zeroinitializer
  %472 = fmul <8 x float> %432, %471
  %473 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %431, <8 x float> %465, <8 x float> %472)
  %474 = shufflevector <8 x float> %468, <8 x float> poison, <8 x i32> zeroinitializer
  %475 = fmul <8 x float> %431, %474
  %476 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %432, <8 x float> %465, <8 x float> %475)
  store <8 x float> %473, ptr %404, align 32
  store <8 x float> %476, ptr %406, align 32
  %477 = add nuw nsw i64 %398, 1
  %478 = icmp eq i64 %477, %385
  br i1 %478, label %394, label %397

479:
  br i1 %22, label %480, label %542

480:
  br i1 %14, label %481, label %989

481:
  %482 = phi i64 [ %540, %481 ], [ 0, %480 ]
  %483 = getelementptr inbounds %struct.Complex_f32, ptr %1, i64 %482
  %484 = load <8 x float>, ptr %483, align 32
  %485 = getelementptr inbounds nuw i8, ptr %483, i64 32
  %486 = load <8 x float>, ptr %485, align 32
  %487 = getelementptr inbounds nuw i8, ptr %483, i64 64
  %488 = getelementptr inbounds nuw i8, ptr %483, i64 256
  %489 = load <8 x float>, ptr %488, align 32
  %490 = getelementptr inbounds nuw i8, ptr %483, i64 288
  %491 = load <8 x float>, ptr %490, align 32
  %492 = load <8 x float>, ptr %487, align 32
  %493 = getelementptr inbounds nuw i8, ptr %483, i64 96
  %494 = load <8 x float>, ptr %493, align 32
  %495 = fadd <8 x float> %489, %492
  %496 = fadd <8 x float> %491, %494
  %497 = fsub <8 x float> %492, %489
  %498 = fsub <8 x float> %494, %491
  %499 = fneg <8 x float> %497
  %500 = getelementptr inbounds nuw i8, ptr %483, i64 128
  %501 = getelementptr inbounds nuw i8, ptr %483, i64 192
  %502 = load <8 x float>, ptr %501, align 32
  %503 = getelementptr inbounds nuw i8, ptr %483, i64 224
  %504 = load <8 x float>, ptr %503, align 32
  %505 = load <8 x float>, ptr %500, align 32
  %506 = getelementptr inbounds nuw i8, ptr %483, i64 160
  %507 = load <8 x float>, ptr %506, align 32
  %508 = fadd <8 x float> %502, %505
  %509 = fadd <8 x float> %504, %507
  %510 = fsub <8 x float> %505, %502
  %511 = fsub <8 x float> %507, %504
  %512 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %495, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %484)
  %513 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %508, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %512)
  %514 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %496, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %486)
  %515 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %509, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %514)
  %516 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %495, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %484)
  %517 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %508, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %516)
  %518 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %496, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %486)
  %519 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %509, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %518)
  %520 = fmul <8 x float> %511, splat (float 0x3FE2CF2300000000)
  %521 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %498, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %520)
  %522 = fmul <8 x float> %510, splat (float 0xBFE2CF2300000000)
  %523 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %499, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %522)
  %524 = fmul <8 x float> %511, splat (float 0xBFEE6F0E20000000)
  %525 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %498, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %524)
  %526 = fmul <8 x float> %510, splat (float 0x3FEE6F0E20000000)
  %527 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %499, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %526)
  %528 = fadd <8 x float> %495, %508
  %529 = fadd <8 x float> %496, %509
  %530 = fadd <8 x float> %484, %528
  %531 = fadd <8 x float> %486, %529
  store <8 x float> %530, ptr %483, align 32
  store <8 x float> %531, ptr %485, align 32
  %532 = fadd <8 x float> %513, %521
  %533 = fadd <8 x float> %515, %523
  store <8 x float> %532, ptr %487, align 32
  store <8 x float> %533, ptr %493, align 32
  %534 = fadd <8 x float> %517, %525
  %535 = fadd <8 x float> %519, %527
  store <8 x float> %534, ptr %500, align 32
  store <8 x float> %535, ptr %506, align 32
  %536 = fsub <8 x float> %517, %525
  %537 = fsub <8 x float> %519, %527
  store <8 x float> %536, ptr %501, align 32
  store <8 x float> %537, ptr %503, align 32
  %538 = fsub <8 x float> %513, %521
  %539 = fsub <8 x float> %515, %523
  store <8 x float> %538, ptr %488, align 32
  store <8 x float> %539, ptr %490, align 32
  %540 = add i64 %482, 5
  %541 = icmp slt i64 %540, %6
  br i1 %541, label %481, label %989

542:
  %543 = sdiv i64 %17, 5
  br i1 %14, label %544, label %989

544:
  %545 = icmp sgt i64 %17, 4
  %546 = shl nsw i64 %543, 8
  %547 = shl nsw i64 %543, 7
  %548 = mul nsw i64 %543, 192
  br label %549

549:
  %550 = phi i64 [ 0, %544 ], [ %554, %553 ]
  br i1 %545, label %551, label %553

551:
  %552 = getelementptr inbounds %struct.Complex_f32, ptr %1, i64 %550
  br label %556

553:
  %554 = add i64 %550, %17
  %555 = icmp slt i64 %554, %6
  br i1 %555, label %549, label %989

556:
  %557 = phi i64 [ 0, %551 ], [ %676, %556 ]
  %558 = getelementptr inbounds nuw %struct.Complex_f32, ptr %552, i64 %557
  %559 = load <8 x float>, ptr %558, align 32
  %560 = getelementptr inbounds nuw i8, ptr %558, i64 32
  %561 = load <8 x float>, ptr %560, align 32
  %562 = getelementptr inbounds nuw %struct.Complex_f32, ptr %558, i64 %543
  %563 = getelementptr inbounds nuw i8, ptr %558, i64 %546
  %564 = load <8 x float>, ptr %563, align 32
  %565 = getelementptr inbounds nuw i8, ptr %563, i64 32
  %566 = load <8 x float>, ptr %565, align 32
  %567 = load <8 x float>, ptr %562, align 32
  %568 = getelementptr inbounds nuw i8, ptr %562, i64 32
  %569 = load <8 x float>, ptr %568, align 32
  %570 = fadd <8 x float> %564, %567
  %571 = fadd <8 x float> %566, %569
  %572 = fsub <8 x float> %567, %564
  %573 = fsub <8 x float> %569, %566
  %574 = fneg <8 x float> %572
  %575 = getelementptr inbounds nuw i8, ptr %558, i64 %547
  %576 = getelementptr inbounds nuw i8, ptr %558, i64 %548
  %577 = load <8 x float>, ptr %576, align 32
  %578 = getelementptr inbounds nuw i8, ptr %576, i64 32
  %579 = load <8 x float>, ptr %578, align 32
  %580 = load <8 x float>, ptr %575, align 32
  %581 = getelementptr inbounds nuw i8, ptr %575, i64 32
  %582 = load <8 x float>, ptr %581, align 32
  %583 = fadd <8 x float> %577, %580
  %584 = fadd <8 x float> %579, %582
  %585 = fsub <8 x float> %580, %577
  %586 = fsub <8 x float> %582, %579
  %587 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %570, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %559)
  %588 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %583, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %587)
  %589 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %571, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %561)
  %590 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %584, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %589)
  %591 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %570, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %559)
  %592 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %583, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %591)
  %593 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %571, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %561)
  %594 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %584, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %593)
  %595 = fmul <8 x float> %586, splat (float 0x3FE2CF2300000000)
  %596 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %573, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %595)
  %597 = fmul <8 x float> %585, splat (float 0xBFE2CF2300000000)
  %598 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %574, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %597)
  %599 = fmul <8 x float> %586, splat (float 0xBFEE6F0E20000000)
  %600 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %573, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %599)
  %601 = fmul <8 x float> %585, splat (float 0x3FEE6F0E20000000)
  %602 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %574, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %601)
  %603 = shl i64 %557, 5
  %604 = getelementptr inbounds i8, ptr %18, i64 %603
  %605 = fadd <8 x float> %570, %583
  %606 = fadd <8 x float> %571, %584
  %607 = fadd <8 x float> %559, %605
  %608 = fadd <8 x float> %561, %606
  store <8 x float> %607, ptr %558, align 32
  store <8 x float> %608, ptr %560, align 32
  %609 = fadd <8 x float> %588, %596
  %610 = fadd <8 x float> %590, %598
  %611 = load float, ptr %604, align 4
  %612 = insertelement <8 x float> poison, float %611, i64 0
  %613 = shufflevector <8 x float> %612, <8 x float> poison, <8 x i32> zeroinitializer
  %614 = getelementptr inbounds nuw i8, ptr %604, i64 4
  %615 = load float, ptr %614, align 4
  %616 = insertelement <8 x float> poison, float %615, i64 0
  %617 = fneg float %615
  %618 = insertelement <8 x float> poison, float %617, i64 0
  %619 = shufflevector <8 x float> %618, <8 x float> poison, <8 x i32> zeroinitializer
  %620 = fmul <8 x float> %610, %619
  %621 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %609, <8 x float> %613, <8 x float> %620)
  %622 = shufflevector <8 x float> %616, <8 x float> poison, <8 x i32> zeroinitializer
  %623 = fmul <8 x float> %609, %622
  %624 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %610, <8 x float> %613, <8 x float> %623)
  store <8 x float> %621, ptr %562, align 32
  store <8 x float> %624, ptr %568, align 32
  %625 = fadd <8 x float> %592, %600
  %626 = fadd <8 x float> %594, %602
  %627 = getelementptr inbounds nuw i8, ptr %604, i64 8
  %628 = load float, ptr %627, align 4
  %629 = insertelement <8 x float> poison, float %628, i64 0
  %630 = shufflevector <8 x float> %629, <8 x float> poison, <8 x i32> zeroinitializer
  %631 = getelementptr inbounds nuw i8, ptr %604, i64 12
  %632 = load float, ptr %631, align 4
  %633 = insertelement <8 x float> poison, float %632, i64 0
  %634 = fneg float %632
  %635 = insertelement <8 x float> poison, float %634, i64 0
  %636 = shufflevector <8 x float> %635, <8 x float> poison, <8 x i32> zeroinitializer
  %637 = fmul <8 x float> %626, %636
  %638 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %625, <8 x float> %630, <8 x float> %637)
  %639 = shufflevector <8 x float> %633, <8 x float> poison, <8 x i32> zeroinitializer
  %640 = fmul <8 x float> %625, %639
  %641 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %626, <8 x float> %630, <8 x float> %640)
  store <8 x float> %638, ptr %575, align 32
  store <8 x float> %641, ptr %581, align 32
  %642 = fsub <8 x float> %592, %600
  %643 = fsub <8 x float> %594, %602
  %644 = getelementptr inbounds nuw i8, ptr %604, i64 16
  %645 = load float, ptr %644, align 4
  %646 = insertelement <8 x float> poison, float %645, i64 0
  %647 = shufflevector <8 x float> %646, <8 x float> poison, <8 x i32> zeroinitializer
  %648 = getelementptr inbounds nuw i8, ptr %604, i64 20
  %649 = load float, ptr %648, align 4
  %650 = insertelement <8 x float> poison, float %649, i64 0
  %651 = fneg float %649
  %652 = insertelement <8 x float> poison, float %651, i64 0
  %653 = shufflevector <8 x float> %652, <8 x float> poison, <8 x i32> zeroinitializer
  %654 = fmul <8 x float> %643, %653
  %655 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %642, <8 x float> %647, <8 x float> %654)
  %656 = shufflevector <8 x float> %650, <8 x float> poison, <8 x i32> zeroinitializer
  %657 = fmul <8 x float> %642, %656
  %658 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %643, <8 x float> %647, <8 x float> %657)
  store <8 x float> %655, ptr %576, align 32
  store <8 x float> %658, ptr %578, align 32
  %659 = fsub <8 x float> %588, %596
  %660 = fsub <8 x float> %590, %598
  %661 = getelementptr inbounds nuw i8, ptr %604, i64 24
  %662 = load float, ptr %661, align 4
  %663 = insertelement <8 x float> poison, float %662, i64 0
  %664 = shufflevector <8 x float> %663, <8 x float> poison, <8 x i32> zeroinitializer
  %665 = getelementptr inbounds nuw i8, ptr %604, i64 28
  %666 = load float, ptr %665, align 4
  %667 = insertelement <8 x float> poison, float %666, i64 0
  %668 = fneg float %666
  %669 = insertelement <8 x float> poison, float %668, i64 0
  %670 = shufflevector <8 x float> %669, <8 x float> poison, <8 x i32> zeroinitializer
  %671 = fmul <8 x float> %660, %670
  %672 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %659, <8 x float> %664, <8 x float> %671)
  %673 = shufflevector <8 x float> %667, <8 x float> poison, <8 x i32> zeroinitializer
  %674 = fmul <8 x float> %659, %673
  %675 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %660, <8 x float> %664, <8 x float> %674)
  store <8 x float> %672, ptr %563, align 32
  store <8 x float> %675, ptr %565, align 32
  %676 = add nuw nsw i64 %557, 1
  %677 = icmp eq i64 %676, %543
  br i1 %677, label %553, label %556

678:
  br i1 %22, label %679, label %773

679:
  br i1 %14, label %680, label %989

680:
  %681 = phi i64 [ %771, %680 ], [ 0, %679 ]
  %682 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1, i64 %681
  %683 = getelementptr inbounds nuw i8, ptr %682, i64 64
  %684 = getelementptr inbounds nuw i8, ptr %682, i64 320
  %685 = load <8 x float>, ptr %684, align 32
  %686 = getelementptr inbounds nuw i8, ptr %682, i64 352
  %687 = load <8 x float>, ptr %686, align 32
  %688 = load <8 x float>, ptr %683, align 32
  %689 = getelementptr inbounds nuw i8, ptr %682, i64 96
  %690 = load <8 x float>, ptr %689, align 32
  %691 = fsub <8 x float> %688, %685
  %692 = fsub <8 x float> %690, %687
  %693 = getelementptr inbounds nuw i8, ptr %682, i64 192
  %694 = getelementptr inbounds nuw i8, ptr %682, i64 448
  %695 = load <8 x float>, ptr %694, align 32
  %696 = getelementptr inbounds nuw i8, ptr %682, i64 480
  %697 = load <8 x float>, ptr %696, align 32
  %698 = load <8 x float>, ptr %693, align 32
  %699 = getelementptr inbounds nuw i8, ptr %682, i64 224
  %700 = load <8 x float>, ptr %699, align 32
  %701 = fsub <8 x float> %698, %695
  %702 = fsub <8 x float> %700, %697
  %703 = fadd <8 x float> %691, %692
  %704 = fmul <8 x float> %703, splat (float 0x3FE6A09E60000000)
  %705 = fsub <8 x float> %692, %691
  %706 = fmul <8 x float> %705, splat (float 0x3FE6A09E60000000)
  %707 = fsub <8 x float> %702, %701
  %708 = fmul <8 x float> %707, splat (float 0x3FE6A09E60000000)
  %709 = fneg <8 x float> %701
  %710 = fsub <8 x float> %709, %702
  %711 = fmul <8 x float> %710, splat (float 0x3FE6A09E60000000)
  %712 = getelementptr inbounds nuw i8, ptr %682, i64 256
  %713 = load <8 x float>, ptr %712, align 32
  %714 = getelementptr inbounds nuw i8, ptr %682, i64 288
  %715 = load <8 x float>, ptr %714, align 32
  %716 = load <8 x float>, ptr %682, align 32
  %717 = getelementptr inbounds nuw i8, ptr %682, i64 32
  %718 = load <8 x float>, ptr %717, align 32
  %719 = fsub <8 x float> %716, %713
  %720 = fsub <8 x float> %718, %715
  %721 = getelementptr inbounds nuw i8, ptr %682, i64 128
  %722 = getelementptr inbounds nuw i8, ptr %682, i64 384
  %723 = load <8 x float>, ptr %722, align 32
  %724 = getelementptr inbounds nuw i8, ptr %682, i64 416
  %725 = load <8 x float>, ptr %724, align 32
  %726 = load <8 x float>, ptr %721, align 32
  %727 = getelementptr inbounds nuw i8, ptr %682, i64 160
  %728 = load <8 x float>, ptr %727, align 32
  %729 = fsub <8 x float> %726, %723
  %730 = fsub <8 x float> %728, %725
  %731 = fadd <8 x float> %719, %730
  %732 = fsub <8 x float> %720, %729
  %733 = fsub <8 x float> %719, %730
  %734 = fadd <8 x float> %720, %729
  %735 = fadd <8 x float> %704, %708
  %736 = fadd <8 x float> %706, %711
  %737 = fsub <8 x float> %704, %708
  %738 = fsub <8 x float> %706, %711
  %739 = fadd <8 x float> %735, %731
  %740 = fadd <8 x float> %736, %732
  %741 = fadd <8 x float> %738, %733
  %742 = fsub <8 x float> %734, %737
  %743 = fsub <8 x float> %731, %735
  %744 = fsub <8 x float> %732, %736
  %745 = fsub <8 x float> %733, %738
  %746 = fadd <8 x float> %737, %734
  %747 = fadd <8 x float> %713, %716
  %748 = fadd <8 x float> %715, %718
  %749 = fadd <8 x float> %685, %688
  %750 = fadd <8 x float> %687, %690
  %751 = fadd <8 x float> %723, %726
  %752 = fadd <8 x float> %725, %728
  %753 = fadd <8 x float> %695, %698
  %754 = fadd <8 x float> %697, %700
  %755 = fadd <8 x float> %747, %751
  %756 = fadd <8 x float> %748, %752
  %757 = fsub <8 x float> %747, %751
  %758 = fsub <8 x float> %748, %752
  %759 = fadd <8 x float> %749, %753
  %760 = fadd <8 x float> %750, %754
  %761 = fsub <8 x float> %749, %753
  %762 = fsub <8 x float> %750, %754
  %763 = fadd <8 x float> %759, %755
  %764 = fadd <8 x float> %760, %756
  %765 = fadd <8 x float> %762, %757
  %766 = fsub <8 x float> %758, %761
  %767 = fsub <8 x float> %755, %759
  %768 = fsub <8 x float> %756, %760
  %769 = fsub <8 x float> %757, %762
  %770 = fadd <8 x float> %761, %758
  store <8 x float> %763, ptr %682, align 32
  store <8 x float> %764, ptr %717, align 32
  store <8 x float> %739, ptr %683, align 32
  store <8 x float> %740, ptr %689, align 32
  store <8 x float> %765, ptr %721, align 32
  store <8 x float> %766, ptr %727, align 32
  store <8 x float> %741, ptr %693, align 32
  store <8 x float> %742, ptr %699, align 32
  store <8 x float> %767, ptr %712, align 32
  store <8 x float> %768, ptr %714, align 32
  store <8 x float> %743, ptr %684, align 32
  store <8 x float> %744, ptr %686, align 32
  store <8 x float> %769, ptr %722, align 32
  store <8 x float> %770, ptr %724, align 32
  store <8 x float> %745, ptr %694, align 32
  store <8 x float> %746, ptr %696, align 32
  %771 = add nuw nsw i64 %681, 8
  %772 = icmp slt i64 %771, %6
  br i1 %772, label %680, label %989

773:
  %774 = sdiv i64 %17, 8
  br i1 %14, label %775, label %989

775:
  %776 = icmp sgt i64 %17, 7
  %777 = mul nsw i64 %774, 320
  %778 = mul nsw i64 %774, 192
  %779 = mul nsw i64 %774, 448
  %780 = shl nsw i64 %774, 8
  %781 = shl nsw i64 %774, 7
  %782 = mul nsw i64 %774, 384
  br label %783

783:
  %784 = phi i64 [ 0, %775 ], [ %788, %787 ]
  br i1 %776, label %785, label %787

785:
  %786 = getelementptr inbounds %struct.Complex_f32, ptr %1, i64 %784
  br label %790

787:
  %788 = add i64 %784, %17
  %789 = icmp slt i64 %788, %6
  br i1 %789, label %783, label %989

790:
  %791 = phi i64 [ 0, %785 ], [ %987, %790 ]
  %792 = getelementptr inbounds nuw %struct.Complex_f32, ptr %786, i64 %791
  %793 = mul i64 %791, 56
  %794 = getelementptr inbounds i8, ptr %18, i64 %793
  %795 = getelementptr inbounds nuw %struct.Complex_f32, ptr %792, i64 %774
  %796 = getelementptr inbounds nuw i8, ptr %792, i64 %777
  %797 = load <8 x float>, ptr %796, align 32
  %798 = getelementptr inbounds nuw i8, ptr %796, i64 32
  %799 = load <8 x float>, ptr %798, align 32
  %800 = load <8 x float>, ptr %795, align 32
  %801 = getelementptr inbounds nuw i8, ptr %795, i64 32
  %802 = load <8 x float>, ptr %801, align 32
  %803 = fsub <8 x float> %800, %797
  %804 = fsub <8 x float> %802, %799
  %805 = getelementptr inbounds nuw i8, ptr %792, i64 %778
  %806 = getelementptr inbounds nuw i8, ptr %792, i64 %779
  %807 = load <8 x float>, ptr %806, align 32
  %808 = getelementptr inbounds nuw i8, ptr %806, i64 32
  %809 = load <8 x float>, ptr %808, align 32
  %810 = load <8 x float>, ptr %805, align 32
  %811 = getelementptr inbounds nuw i8, ptr %805, i64 32
  %812 = load <8 x float>, ptr %811, align 32
  %813 = fsub <8 x float> %810, %807
  %814 = fsub <8 x float> %812, %809
  %815 = fadd <8 x float> %803, %804
  %816 = fmul <8 x float> %815, splat (float 0x3FE6A09E60000000)
  %817 = fsub <8 x float> %804, %803
  %818 = fmul <8 x float> %817, splat (float 0x3FE6A09E60000000)
  %819 = fsub <8 x float> %814, %813
  %820 = fmul <8 x float> %819, splat (float 0x3FE6A09E60000000)
  %821 = fneg <8 x float> %813
  %822 = fsub <8 x float> %821, %814
  %823 = fmul <8 x float> %822, splat (float 0x3FE6A09E60000000)
  %824 = getelementptr inbounds nuw i8, ptr %792, i64 %780
  %825 = load <8 x float>, ptr %824, align 32
  %826 = getelementptr inbounds nuw i8, ptr %824, i64 32
  %827 = load <8 x float>, ptr %826, align 32
  %828 = load <8 x float>, ptr %792, align 32
  %829 = getelementptr inbounds nuw i8, ptr %792, i64 32
  %830 = load <8 x float>, ptr %829, align 32
  %831 = fsub <8 x float> %828, %825
  %832 = fsub <8 x float> %830, %827
  %833 = getelementptr inbounds nuw i8, ptr %792, i64 %781
  %834 = getelementptr inbounds nuw i8, ptr %792, i64 %782
  %835 = load <8 x float>, ptr %834, align 32
  %836 = getelementptr inbounds nuw i8, ptr %834, i64 32
  %837 = load <8 x float>, ptr %836, align 32
  %838 = load <8 x float>, ptr %833, align 32
  %839 = getelementptr inbounds nuw i8, ptr %833, i64 32
  %840 = load <8 x float>, ptr %839, align 32
  %841 = fsub <8 x float> %838, %835
  %842 = fsub <8 x float> %840, %837
  %843 = fadd <8 x float> %831, %842
  %844 = fsub <8 x float> %832, %841
  %845 = fsub <8 x float> %831, %842
  %846 = fadd <8 x float> %832, %841
  %847 = fadd <8 x float> %816, %820
  %848 = fadd <8 x float> %818, %823
  %849 = fsub <8 x float> %816, %820
  %850 = fsub <8 x float> %818, %823
  %851 = fadd <8 x float> %847, %843
  %852 = fadd <8 x float> %848, %844
  %853 = fadd <8 x float> %850, %845
  %854 = fsub <8 x float> %846, %849
  %855 = fsub <8 x float> %843, %847
  %856 = fsub <8 x float> %844, %848
  %857 = fsub <8 x float> %845, %850
  %858 = fadd <8 x float> %849, %846
  %859 = fadd <8 x float> %825, %828
  %860 = fadd <8 x float> %827, %830
  %861 = fadd <8 x float> %797, %800
  %862 = fadd <8 x float> %799, %802
  %863 = fadd <8 x float> %835, %838
  %864 = fadd <8 x float> %837, %840
  %865 = fadd <8 x float> %807, %810
  %866 = fadd <8 x float> %809, %812
  %867 = fadd <8 x float> %859, %863
  %868 = fadd <8 x float> %860, %864
  %869 = fsub <8 x float> %859, %863
  %870 = fsub <8 x float> %860, %864
  %871 = fadd <8 x float> %861, %865
  %872 = fadd <8 x float> %862, %866
  %873 = fsub <8 x float> %861, %865
  %874 = fsub <8 x float> %862, %866
  %875 = fadd <8 x float> %871, %867
  %876 = fadd <8 x float> %872, %868
  %877 = fadd <8 x float> %874, %869
  %878 = fsub <8 x float> %870, %873
  %879 = fsub <8 x float> %867, %871
  %880 = fsub <8 x float> %868, %872
  %881 = fsub <8 x float> %869, %874
  %882 = fadd <8 x float> %873, %870
  store <8 x float> %875, ptr %792, align 32
  store <8 x float> %876, ptr %829, align 32
  %883 = load float, ptr %794, align 4
  %884 = insertelement <8 x float> poison, float %883, i64 0
  %885 = shufflevector <8 x float> %884, <8 x float> poison, <8 x i32> zeroinitializer
  %886 = getelementptr inbounds nuw i8, ptr %794, i64 4
  %887 = load float, ptr %886, align 4
  %888 = insertelement <8 x float> poison, float %887, i64 0
  %889 = fneg float %887
  %890 = insertelement <8 x float> poison, float %889, i64 0
  %891 = shufflevector <8 x float> %890, <8 x float> poison, <8 x i32> zeroinitializer
  %892 = fmul <8 x float> %852, %891
  %893 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %851, <8 x float> %885, <8 x float> %892)
  %894 = shufflevector <8 x float> %888, <8 x float> poison, <8 x i32> zeroinitializer
  %895 = fmul <8 x float> %851, %894
  %896 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %852, <8 x float> %885, <8 x float> %895)
  store <8 x float> %893, ptr %795, align 32
  store <8 x float> %896, ptr %801, align 32
  %897 = getelementptr inbounds nuw i8, ptr %794, i64 8
  %898 = load float, ptr %897, align 4
  %899 = insertelement <8 x float> poison, float %898, i64 0
  %900 = shufflevector <8 x float> %899, <8 x float> poison, <8 x i32> zeroinitializer
  %901 = getelementptr inbounds nuw i8, ptr %794, i64 12
  %902 = load float, ptr %901, align 4
  %903 = insertelement <8 x float> poison, float %902, i64 0
  %904 = fneg float %902
  %905 = insertelement <8 x float> poison, float %904, i64 0
  %906 = shufflevector <8 x float> %905, <8 x float> poison, <8 x i32> zeroinitializer
  %907 = fmul <8 x float> %878, %906
  %908 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %877, <8 x float> %900, <8 x float> %907)
  %909 = shufflevector <8 x float> %903, <8 x float> poison, <8 x i32> zeroinitializer
  %910 = fmul <8 x float> %877, %909
  %911 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %878, <8 x float> %900, <8 x float> %910)
  store <8 x float> %908, ptr %833, align 32
  store <8 x float> %911, ptr %839, align 32
  %912 = getelementptr inbounds nuw i8, ptr %794, i64 16
  %913 = load float, ptr %912, align 4
  %914 = insertelement <8 x float> poison, float %913, i64 0
  %915 = shufflevector <8 x float> %914, <8 x float> poison, <8 x i32> zeroinitializer
  %916 = getelementptr inbounds nuw i8, ptr %794, i64 20
  %917 = load float, ptr %916, align 4
  %918 = insertelement <8 x float> poison, float %917, i64 0
  %919 = fneg float %917
  %920 = insertelement <8 x float> poison, float %919, i64 0
  %921 = shufflevector <8 x float> %920, <8 x float> poison, <8 x i32> zeroinitializer
  %922 = fmul <8 x float> %854, %921
  %923 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %853, <8 x float> %915, <8 x float> %922)
  %924 = shufflevector <8 x float> %918, <8 x float> poison, <8 x i32> zeroinitializer
  %925 = fmul <8 x float> %853, %924
  %926 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %854, <8 x float> %915, <8 x float> %925)
  store <8 x float> %923, ptr %805, align 32
  store <8 x float> %926, ptr %811, align 32
  %927 = getelementptr inbounds nuw i8, ptr %794, i64 24
  %928 = load float, ptr %927, align 4
  %929 = insertelement <8 x float> poison, float %928, i64 0
  %930 = shufflevector <8 x float> %929, <8 x float> poison, <8 x i32> zeroinitializer
  %931 = getelementptr inbounds nuw i8, ptr %794, i64 28
  %932 = load float, ptr %931, align 4
  %933 = insertelement <8 x float> poison, float %932, i64 0
  %934 = fneg float %932
  %935 = insertelement <8 x float> poison, float %934, i64 0
  %936 = shufflevector <8 x float> %935, <8 x float> poison, <8 x i32> zeroinitializer
  %937 = fmul <8 x float> %880, %936
  %938 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %879, <8 x float> %930, <8 x float> %937)
  %939 = shufflevector <8 x float> %933, <8 x float> poison, <8 x i32> zeroinitializer
  %940 = fmul <8 x float> %879, %939
  %941 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %880, <8 x float> %930, <8 x float> %940)
  store <8 x float> %938, ptr %824, align 32
  store <8 x float> %941, ptr %826, align 32
  %942 = getelementptr inbounds nuw i8, ptr %794, i64 32
  %943 = load float, ptr %942, align 4
  %944 = insertelement <8 x float> poison, float %943, i64 0
  %945 = shufflevector <8 x float> %944, <8 x float> poison, <8 x i32> zeroinitializer
  %946 = getelementptr inbounds nuw i8, ptr %794, i64 36
  %947 = load float, ptr %946, align 4
  %948 = insertelement <8 x float> poison, float %947, i64 0
  %949 = fneg float %947
  %950 = insertelement <8 x float> poison, float %949, i64 0
  %951 = shufflevector <8 x float> %950, <8 x float> poison, <8 x i32> zeroinitializer
  %952 = fmul <8 x float> %856, %951
  %953 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %855, <8 x float> %945, <8 x float> %952)
  %954 = shufflevector <8 x float> %948, <8 x float> poison, <8 x i32> zeroinitializer
  %955 = fmul <8 x float> %855, %954
  %956 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %856, <8 x float> %945, <8 x float> %955)
  store <8 x float> %953, ptr %796, align 32
  store <8 x float> %956, ptr %798, align 32
  %957 = getelementptr inbounds nuw i8, ptr %794, i64 40
  %958 = load float, ptr %957, align 4
  %959 = insertelement <8 x float> poison, float %958, i64 0
  %960 = shufflevector <8 x float> %959, <8 x float> poison, <8 x i32> zeroinitializer
  %961 = getelementptr inbounds nuw i8, ptr %794, i64 44
  %962 = load float, ptr %961, align 4
  %963 = insertelement <8 x float> poison, float %962, i64 0
  %964 = fneg float %962
  %965 = insertelement <8 x float> poison, float %964, i64 0
  %966 = shufflevector <8 x float> %965, <8 x float> poison, <8 x i32> zeroinitializer
  %967 = fmul <8 x float> %882, %966
  %968 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %881, <8 x float> %960, <8 x float> %967)
  %969 = shufflevector <8 x float> %963, <8 x float> poison, <8 x i32> zeroinitializer
  %970 = fmul <8 x float> %881, %969
  %971 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %882, <8 x float> %960, <8 x float> %970)
  store <8 x float> %968, ptr %834, align 32
  store <8 x float> %971, ptr %836, align 32
  %972 = getelementptr inbounds nuw i8, ptr %794, i64 48
  %973 = load float, ptr %972, align 4
  %974 = insertelement <8 x float> poison, float %973, i64 0
  %975 = shufflevector <8 x float> %974, <8 x float> poison, <8 x i32> zeroinitializer
  %976 = getelementptr inbounds nuw i8, ptr %794, i64 52
  %977 = load float, ptr %976, align 4
  %978 = insertelement <8 x float> poison, float %977, i64 0
  %979 = fneg float %977
  %980 = insertelement <8 x float> poison, float %979, i64 0
  %981 = shufflevector <8 x float> %980, <8 x float> poison, <8 x i32> zeroinitializer
  %982 = fmul <8 x float> %858, %981
  %983 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %857, <8 x float> %975, <8 x float> %982)
  %984 = shufflevector <8 x float> %978, <8 x float> poison, <8 x i32> zeroinitializer
  %985 = fmul <8 x float> %857, %984
  %986 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %858, <8 x float> %975, <8 x float> %985)
  store <8 x float> %983, ptr %806, align 32
  store <8 x float> %986, ptr %808, align 32
  %987 = add nuw nsw i64 %791, 1
  %988 = icmp eq i64 %987, %774
  br i1 %988, label %787, label %790

989:
  %990 = phi ptr [ %18, %179 ], [ %18, %542 ], [ %18, %679 ], [ %18, %773 ], [ %18, %181 ], [ %18, %198 ], [ %18, %242 ], [ %18, %273 ], [ %18, %347 ], [ %18, %384 ], [ %18, %480 ], [ %28, %26 ], [ %18, %243 ], [ %18, %282 ], [ %18, %348 ], [ %18, %394 ], [ %18, %481 ], [ %18, %553 ], [ %18, %680 ], [ %28, %42 ], [ %18, %182 ], [ %18, %206 ], [ %18, %787 ]
  %991 = sdiv i64 %17, %21
  %992 = shl i64 %21, 1
  %993 = add i64 %992, -2
  %994 = mul i64 %991, %993
  %995 = getelementptr inbounds float, ptr %990, i64 %994
  %996 = add nuw nsw i64 %19, 1
  %997 = load i64, ptr %7, align 8
  %998 = icmp slt i64 %996, %997
  br i1 %998, label %16, label %15
}

declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>)

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal fastcc void @stages_f64(ptr %0, ptr %1) nounwind {
  %3 = alloca [18 x %struct.Complex_f64], align 32
  %4 = alloca [18 x %struct.Complex_f64], align 32
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 296
  %8 = load i64, ptr %7, align 8
  %9 = icmp sgt i64 %8, 0
  br i1 %9, label %10, label %15

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 304
  %14 = icmp sgt i64 %6, 0
  br label %16

15:
  ret void

16:
  %17 = phi i64 [ %6, %10 ], [ %991, %989 ]
  %18 = phi ptr [ %12, %10 ], [ %995, %989 ]
  %19 = phi i64 [ 0, %10 ], [ %996, %989 ]
  %20 = getelementptr inbounds nuw i64, ptr %13, i64 %19
  %21 = load i64, ptr %20, align 8
  %22 = icmp eq i64 %17, %21
  %23 = icmp sgt i64 %21, 8
  %24 = icmp eq i64 %21, 7
  %25 = or i1 %23, %24
  br i1 %25, label %26, label %179

26:
  %27 = shl i64 %21, 4
  %28 = getelementptr inbounds i8, ptr %18, i64 %27
  %29 = sdiv i64 %17, %21
  br i1 %14, label %30, label %989

30:
  %31 = icmp sgt i64 %29, 0
  %32 = shl nuw i64 %21, 1
  %33 = add i64 %32, -2
  %34 = icmp eq i64 %29, 1
  %35 = add nsw i64 %21, -3
  %36 = lshr i64 %35, 1
  %37 = add nuw nsw i64 %36, 2
  br label %38

38:
  %39 = phi i64 [ 0, %30 ], [ %43, %42 ]
  br i1 %31, label %40, label %42

40:
  %41 = getelementptr inbounds %struct.Complex_f64, ptr %1, i64 %39
  br label %45

42:
  %43 = add i64 %39, %17
  %44 = icmp slt i64 %43, %6
  br i1 %44, label %38, label %989

45:
  %46 = phi i64 [ 0, %40 ], [ %88, %87 ]
  %47 = getelementptr inbounds nuw %struct.Complex_f64, ptr %41, i64 %46
  %48 = load <4 x double>, ptr %47, align 32
  %49 = getelementptr inbounds nuw i8, ptr %47, i64 32
  %50 = load <4 x double>, ptr %49, align 32
  br label %55

51:
  %52 = mul i64 %46, %33
  %53 = getelementptr inbounds double, ptr %28, i64 %52
  %54 = getelementptr inbounds i8, ptr %53, i64 -16
  store <4 x double> %80, ptr %47, align 32
  store <4 x double> %81, ptr %49, align 32
  br label %84

55:
  %56 = phi i64 [ %82, %55 ], [ 1, %45 ]
  %57 = phi <4 x double> [ %81, %55 ], [ %50, %45 ]
  %58 = phi <4 x double> [ %80, %55 ], [ %48, %45 ]
  %59 = add nsw i64 %56, -1
  %60 = getelementptr inbounds %struct.Complex_f64, ptr %3, i64 %59
  %61 = mul i64 %56, %29
  %62 = getelementptr inbounds %struct.Complex_f64, ptr %47, i64 %61
  %63 = sub nsw i64 %21, %56
  %64 = mul i64 %63, %29
  %65 = getelementptr inbounds %struct.Complex_f64, ptr %47, i64 %64
  %66 = load <4 x double>, ptr %65, align 32
  %67 = getelementptr inbounds nuw i8, ptr %65, i64 32
  %68 = load <4 x double>, ptr %67, align 32
  %69 = load <4 x double>, ptr %62, align 32
  %70 = getelementptr inbounds nuw i8, ptr %62, i64 32
  %71 = load <4 x double>, ptr %70, align 32
  %72 = fadd <4 x double> %66, %69
  %73 = fadd <4 x double> %68, %71
  store <4 x double> %72, ptr %60, align 32
  %74 = getelementptr inbounds nuw i8, ptr %60, i64 32
  store <4 x double> %73, ptr %74, align 32
  %75 = getelementptr inbounds %struct.Complex_f64, ptr %4, i64 %59
  %76 = fsub <4 x double> %69, %66
  %77 = fsub <4 x double> %71, %68
  %78 = fneg <4 x double> %76
  store <4 x double> %77, ptr %75, align 32
  %79 = getelementptr inbounds nuw i8, ptr %75, i64 32
  store <4 x double> %78, ptr %79, align 32
  %80 = fadd <4 x double> %58, %72
  %81 = fadd <4 x double> %57, %73
  %82 = add nuw nsw i64 %56, 1
  %83 = icmp eq i64 %82, %37
  br i1 %83, label %51, label %55

84:
  %85 = phi i64 [ %142, %137 ], [ 2, %51 ]
  %86 = phi i64 [ %141, %137 ], [ 1, %51 ]
  br label %144

87:
  %88 = add nuw nsw i64 %46, 1
  %89 = icmp eq i64 %88, %29
  br i1 %89, label %42, label %45

90:
  %91 = mul i64 %86, %29
  %92 = getelementptr inbounds %struct.Complex_f64, ptr %47, i64 %91
  %93 = fadd <4 x double> %159, %169
  %94 = fadd <4 x double> %162, %172
  br i1 %34, label %111, label %95

95:
  %96 = getelementptr inbounds double, ptr %54, i64 %85
  %97 = load double, ptr %96, align 8
  %98 = insertelement <4 x double> poison, double %97, i64 0
  %99 = shufflevector <4 x double> %98, <4 x double> poison, <4 x i32> zeroinitializer
  %100 = getelementptr inbounds nuw i8, ptr %96, i64 8
  %101 = load double, ptr %100, align 8
  %102 = insertelement <4 x double> poison, double %101, i64 0
  %103 = fneg double %101
  %104 = insertelement <4 x double> poison, double %103, i64 0
  %105 = shufflevector <4 x double> %104, <4 x double> poison, <4 x i32> zeroinitializer
  %106 = fmul <4 x double> %94, %105
  %107 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %93, <4 x double> %99, <4 x double> %106)
  %108 = shufflevector <4 x double> %102, <4 x double> poison, <4 x i32> zeroinitializer
  %109 = fmul <4 x double> %93, %108
  %110 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %94, <4 x double> %99, <4 x double> %109)
  br label %111

111:
  %112 = phi <4 x double> [ %110, %95 ], [ %94, %90 ]
  %113 = phi <4 x double> [ %107, %95 ], [ %93, %90 ]
  store <4 x double> %113, ptr %92, align 32
  %114 = getelementptr inbounds nuw i8, ptr %92, i64 32
  store <4 x double> %112, ptr %114, align 32
  %115 = sub nsw i64 %21, %86
  %116 = mul i64 %115, %29
  %117 = getelementptr inbounds %struct.Complex_f64, ptr %47, i64 %116
  %118 = fsub <4 x double> %159, %169
  %119 = fsub <4 x double> %162, %172
  br i1 %34, label %137, label %120

120:
  %121 = shl i64 %115, 4
  %122 = getelementptr inbounds i8, ptr %54, i64 %121
  %123 = load double, ptr %122, align 8
  %124 = insertelement <4 x double> poison, double %123, i64 0
  %125 = shufflevector <4 x double> %124, <4 x double> poison, <4 x i32> zeroinitializer
  %126 = getelementptr inbounds nuw i8, ptr %122, i64 8
  %127 = load double, ptr %126, align 8
  %128 = insertelement <4 x double> poison, double %127, i64 0
  %129 = fneg double %127
  %130 = insertelement <4 x double> poison, double %129, i64 0
  %131 = shufflevector <4 x double> %130, <4 x double> poison, <4 x i32> zeroinitializer
  %132 = fmul <4 x double> %119, %131
  %133 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %118, <4 x double> %125, <4 x double> %132)
  %134 = shufflevector <4 x double> %128, <4 x double> poison, <4 x i32> zeroinitializer
  %135 = fmul <4 x double> %118, %134
  %136 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %119, <4 x double> %125, <4 x double> %135)
  br label %137

137:
  %138 = phi <4 x double> [ %136, %120 ], [ %119, %111 ]
  %139 = phi <4 x double> [ %133, %120 ], [ %118, %111 ]
  store <4 x double> %139, ptr %117, align 32
  %140 = getelementptr inbounds nuw i8, ptr %117, i64 32
  store <4 x double> %138, ptr %140, align 32
  %141 = add nuw nsw i64 %86, 1
  %142 = shl nuw i64 %141, 1
  %143 = icmp eq i64 %141, %37
  br i1 %143, label %87, label %84

144:
  %145 = phi i64 [ %86, %84 ], [ %177, %144 ]
  %146 = phi i64 [ 1, %84 ], [ %173, %144 ]
  %147 = phi <4 x double> [ %50, %84 ], [ %162, %144 ]
  %148 = phi <4 x double> [ %48, %84 ], [ %159, %144 ]
  %149 = phi <4 x double> [ zeroinitializer, %84 ], [ %169, %144 ]
  %150 = phi <4 x double> [ zeroinitializer, %84 ], [ %172, %144 ]
  %151 = add nsw i64 %146, -1
  %152 = getelementptr inbounds %struct.Complex_f64, ptr %3, i64 %151
  %153 = load <4 x double>, ptr %152, align 32
  %154 = shl i64 %145, 4
  %155 = getelementptr inbounds i8, ptr %18, i64 %154
  %156 = load double, ptr %155, align 8
  %157 = insertelement <4 x double> poison, double %156, i64 0
  %158 = shufflevector <4 x double> %157, <4 x double> poison, <4 x i32> zeroinitializer
  %159 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %153, <4 x double> %158, <4 x double> %148)
  %160 = getelementptr inbounds nuw i8, ptr %152, i64 32
  %161 = load <4 x double>, ptr %160, align 32
  %162 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %161, <4 x double> %158, <4 x double> %147)
  %163 = getelementptr inbounds %struct.Complex_f64, ptr %4, i64 %151
  %164 = load <4 x double>, ptr %163, align 32
  %165 = getelementptr i8, ptr %155, i64 8
  %166 = load double, ptr %165, align 8
  %167 = insertelement <4 x double> poison, double %166, i64 0
  %168 = shufflevector <4 x double> %167, <4 x double> poison, <4 x i32> zeroinitializer
  %169 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %164, <4 x double> %168, <4 x double> %149)
  %170 = getelementptr inbounds nuw i8, ptr %163, i64 32
  %171 = load <4 x double>, ptr %170, align 32
  %172 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %171, <4 x double> %168, <4 x double> %150)
  %173 = add nuw nsw i64 %146, 1
  %174 = add i64 %145, %86
  %175 = icmp slt i64 %174, %21
  %176 = select i1 %175, i64 0, i64 %21
  %177 = sub i64 %174, %176
  %178 = icmp eq i64 %173, %37
  br i1 %178, label %90, label %144

179:
  switch i64 %21, label %989 [
    i64 2, label %180
    i64 3, label %241
    i64 4, label %346
    i64 5, label %479
    i64 8, label %678
  ]

180:
  br i1 %22, label %181, label %198

181:
  br i1 %14, label %182, label %989

182:
  %183 = phi i64 [ %196, %182 ], [ 0, %181 ]
  %184 = getelementptr inbounds nuw %struct.Complex_f64, ptr %1, i64 %183
  %185 = load <4 x double>, ptr %184, align 32
  %186 = getelementptr inbounds nuw i8, ptr %184, i64 32
  %187 = load <4 x double>, ptr %186, align 32
  %188 = getelementptr inbounds nuw i8, ptr %184, i64 64
  %189 = load <4 x double>, ptr %188, align 32
  %190 = getelementptr inbounds nuw i8, ptr %184, i64 96
  %191 = load <4 x double>, ptr %190, align 32
  %192 = fadd <4 x double> %185, %189
  %193 = fadd <4 x double> %187, %191
  store <4 x double> %192, ptr %184, align 32
  store <4 x double> %193, ptr %186, align 32
  %194 = fsub <4 x double> %185, %189
  %195 = fsub <4 x double> %187, %191
  store <4 x double> %194, ptr %188, align 32
  store <4 x double> %195, ptr %190, align 32
  %196 = add nuw nsw i64 %183, 2
  %197 = icmp slt i64 %196, %6
  br i1 %197, label %182, label %989

198:
  %199 = sdiv i64 %17, 2
  br i1 %14, label %200, label %989

200:
  %201 = icmp sgt i64 %17, 1
  br label %202

202:
  %203 = phi i64 [ 0, %200 ], [ %207, %206 ]
  br i1 %201, label %204, label %206

204:
  %205 = getelementptr inbounds %struct.Complex_f64, ptr %1, i64 %203
  br label %209

206:
  %207 = add i64 %203, %17
  %208 = icmp slt i64 %207, %6
  br i1 %208, label %202, label %989

209:
  %210 = phi i64 [ 0, %204 ], [ %239, %209 ]
  %211 = getelementptr inbounds nuw %struct.Complex_f64, ptr %205, i64 %210
  %212 = load <4 x double>, ptr %211, align 32
  %213 = getelementptr inbounds nuw i8, ptr %211, i64 32
  %214 = load <4 x double>, ptr %213, align 32
  %215 = getelementptr inbounds nuw %struct.Complex_f64, ptr %211, i64 %199
  %216 = load <4 x double>, ptr %215, align 32
  %217 = getelementptr inbounds nuw i8, ptr %215, i64 32
  %218 = load <4 x double>, ptr %217, align 32
  %219 = fadd <4 x double> %212, %216
  %220 = fadd <4 x double> %214, %218
  store <4 x double> %219, ptr %211, align 32
  store <4 x double> %220, ptr %213, align 32
  %221 = fsub <4 x double> %212, %216
  %222 = fsub <4 x double> %214, %218
  %223 = shl i64 %210, 4
  %224 = getelementptr inbounds i8, ptr %18, i64 %223
  %225 = load double, ptr %224, align 8
  %226 = insertelement <4 x double> poison, double %225, i64 0
  %227 = shufflevector <4 x double> %226, <4 x double> poison, <4 x i32> zeroinitializer
  %228 = getelementptr inbounds nuw i8, ptr %224, i64 8
  %229 = load double, ptr %228, align 8
  %230 = insertelement <4 x double> poison, double %229, i64 0
  %231 = fneg double %229
  %232 = insertelement <4 x double> poison, double %231, i64 0
  %233 = shufflevector <4 x double> %232, <4 x double> poison, <4 x i32> zeroinitializer
  %234 = fmul <4 x double> %222, %233
  %235 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %221, <4 x double> %227, <4 x double> %234)
  %236 = shufflevector <4 x double> %230, <4 x double> poison, <4 x i32> zeroinitializer
  %237 = fmul <4 x double> %221, %236
  %238 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %222, <4 x double> %227, <4 x double> %237)
  store <4 x double> %235, ptr %215, align 32
  store <4 x double> %238, ptr %217, align 32
  %239 = add nuw nsw i64 %210, 1
  %240 = icmp eq i64 %239, %199
  br i1 %240, label %206, label %209

241:
  br i1 %22, label %242, label %273

242:
  br i1 %14, label %243, label %989

243:
  %244 = phi i64 [ %271, %243 ], [ 0, %242 ]
  %245 = getelementptr inbounds %struct.Complex_f64, ptr %1, i64 %244
  %246 = load <4 x double>, ptr %245, align 32
  %247 = getelementptr inbounds nuw i8, ptr %245, i64 32
  %248 = load <4 x double>, ptr %247, align 32
  %249 = getelementptr inbounds nuw i8, ptr %245, i64 64
  %250 = getelementptr inbounds nuw i8, ptr %245, i64 128
  %251 = load <4 x double>, ptr %250, align 32
  %252 = getelementptr inbounds nuw i8, ptr %245, i64 160
  %253 = load <4 x double>, ptr %252, align 32
  %254 = load <4 x double>, ptr %249, align 32
  %255 = getelementptr inbounds nuw i8, ptr %245, i64 96
  %256 = load <4 x double>, ptr %255, align 32
  %257 = fadd <4 x double> %251, %254
  %258 = fadd <4 x double> %253, %256
  %259 = fsub <4 x double> %254, %251
  %260 = fsub <4 x double> %256, %253
  %261 = fmul <4 x double> %260, splat (double 0x3FEBB67AE8584CAA)
  %262 = fmul <4 x double> %259, splat (double 0xBFEBB67AE8584CAA)
  %263 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %257, <4 x double> splat (double -5.000000e-01), <4 x double> %246)
  %264 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %258, <4 x double> splat (double -5.000000e-01), <4 x double> %248)
  %265 = fadd <4 x double> %246, %257
  %266 = fadd <4 x double> %248, %258
  store <4 x double> %265, ptr %245, align 32
  store <4 x double> %266, ptr %247, align 32
  %267 = fadd <4 x double> %263, %261
  %268 = fadd <4 x double> %262, %264
  store <4 x double> %267, ptr %249, align 32
  store <4 x double> %268, ptr %255, align 32
  %269 = fsub <4 x double> %263, %261
  %270 = fsub <4 x double> %264, %262
  store <4 x double> %269, ptr %250, align 32
  store <4 x double> %270, ptr %252, align 32
  %271 = add i64 %244, 3
  %272 = icmp slt i64 %271, %6
  br i1 %272, label %243, label %989

273:
  %274 = sdiv i64 %17, 3
  br i1 %14, label %275, label %989

275:
  %276 = icmp sgt i64 %17, 2
  %277 = shl nsw i64 %274, 7
  br label %278

278:
  %279 = phi i64 [ 0, %275 ], [ %283, %282 ]
  br i1 %276, label %280, label %282

280:
  %281 = getelementptr inbounds %struct.Complex_f64, ptr %1, i64 %279
  br label %285

282:
  %283 = add i64 %279, %17
  %284 = icmp slt i64 %283, %6
  br i1 %284, label %278, label %989

285:
  %286 = phi i64 [ 0, %280 ], [ %344, %285 ]
  %287 = getelementptr inbounds nuw %struct.Complex_f64, ptr %281, i64 %286
  %288 = load <4 x double>, ptr %287, align 32
  %289 = getelementptr inbounds nuw i8, ptr %287, i64 32
  %290 = load <4 x double>, ptr %289, align 32
  %291 = getelementptr inbounds nuw %struct.Complex_f64, ptr %287, i64 %274
  %292 = getelementptr inbounds nuw i8, ptr %287, i64 %277
  %293 = load <4 x double>, ptr %292, align 32
  %294 = getelementptr inbounds nuw i8, ptr %292, i64 32
  %295 = load <4 x double>, ptr %294, align 32
  %296 = load <4 x double>, ptr %291, align 32
  %297 = getelementptr inbounds nuw i8, ptr %291, i64 32
  %298 = load <4 x double>, ptr %297, align 32
  %299 = fadd <4 x double> %293, %296
  %300 = fadd <4 x double> %295, %298
  %301 = fsub <4 x double> %296, %293
  %302 = fsub <4 x double> %298, %295
  %303 = fmul <4 x double> %302, splat (double 0x3FEBB67AE8584CAA)
  %304 = fmul <4 x double> %301, splat (double 0xBFEBB67AE8584CAA)
  %305 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %299, <4 x double> splat (double -5.000000e-01), <4 x double> %288)
  %306 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %300, <4 x double> splat (double -5.000000e-01), <4 x double> %290)
  %307 = shl i64 %286, 5
  %308 = getelementptr inbounds i8, ptr %18, i64 %307
  %309 = fadd <4 x double> %288, %299
  %310 = fadd <4 x double> %290, %300
  store <4 x double> %309, ptr %287, align 32
  store <4 x double> %310, ptr %289, align 32
  %311 = fadd <4 x double> %305, %303
  %312 = fadd <4 x double> %304, %306
  %313 = load double, ptr %308, align 8
  %314 = insertelement <4 x double> poison, double %313, i64 0
  %315 = shufflevector <4 x double> %314, <4 x double> poison, <4 x i32> zeroinitializer
  %316 = getelementptr inbounds nuw i8, ptr %308, i64 8
  %317 = load double, ptr %316, align 8
  %318 = insertelement <4 x double> poison, double %317, i64 0
  %319 = fneg double %317
  %320 = insertelement <4 x double> poison, double %319, i64 0
  %321 = shufflevector <4 x double> %320, <4 x double> poison, <4 x i32> zeroinitializer
  %322 = fmul <4 x double> %312, %321
  %323 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %311, <4 x double> %315, <4 x double> %322)
  %324 = shufflevector <4 x double> %318, <4 x double> poison, <4 x i32> zeroinitializer
  %325 = fmul <4 x double> %311, %324
  %326 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %312, <4 x double> %315, <4 x double> %325)
  store <4 x double> %323, ptr %291, align 32
  store <4 x double> %326, ptr %297, align 32
  %327 = fsub <4 x double> %305, %303
  %328 = fsub <4 x double> %306, %304
  %329 = getelementptr inbounds nuw i8, ptr %308, i64 16
  %330 = load double, ptr %329, align 8
  %331 = insertelement <4 x double> poison, double %330, i64 0
  %332 = shufflevector <4 x double> %331, <4 x double> poison, <4 x i32> zeroinitializer
  %333 = getelementptr inbounds nuw i8, ptr %308, i64 24
  %334 = load double, ptr %333, align 8
  %335 = insertelement <4 x double> poison, double %334, i64 0
  %336 = fneg double %334
  %337 = insertelement <4 x double> poison, double %336, i64 0
  %338 = shufflevector <4 x double> %337, <4 x double> poison, <4 x i32> zeroinitializer
  %339 = fmul <4 x double> %328, %338
  %340 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %327, <4 x double> %332, <4 x double> %339)
  %341 = shufflevector <4 x double> %335, <4 x double> poison, <4 x i32> zeroinitializer
  %342 = fmul <4 x double> %327, %341
  %343 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %328, <4 x double> %332, <4 x double> %342)
  store <4 x double> %340, ptr %292, align 32
  store <4 x double> %343, ptr %294, align 32
  %344 = add nuw nsw i64 %286, 1
  %345 = icmp eq i64 %344, %274
  br i1 %345, label %282, label %285

346:
  br i1 %22, label %347, label %384

347:
  br i1 %14, label %348, label %989

348:
  %349 = phi i64 [ %382, %348 ], [ 0, %347 ]
  %350 = getelementptr inbounds nuw %struct.Complex_f64, ptr %1, i64 %349
  %351 = getelementptr inbounds nuw i8, ptr %350, i64 64
  %352 = getelementptr inbounds nuw i8, ptr %350, i64 128
  %353 = getelementptr inbounds nuw i8, ptr %350, i64 192
  %354 = load <4 x double>, ptr %353, align 32
  %355 = getelementptr inbounds nuw i8, ptr %350, i64 224
  %356 = load <4 x double>, ptr %355, align 32
  %357 = load <4 x double>, ptr %352, align 32
  %358 = getelementptr inbounds nuw i8, ptr %350, i64 160
  %359 = load <4 x double>, ptr %358, align 32
  %360 = load <4 x double>, ptr %351, align 32
  %361 = getelementptr inbounds nuw i8, ptr %350, i64 96
  %362 = load <4 x double>, ptr %361, align 32
  %363 = load <4 x double>, ptr %350, align 32
  %364 = getelementptr inbounds nuw i8, ptr %350, i64 32
  %365 = load <4 x double>, ptr %364, align 32
  %366 = fadd <4 x double> %357, %363
  %367 = fadd <4 x double> %359, %365
  %368 = fsub <4 x double> %363, %357
  %369 = fsub <4 x double> %365, %359
  %370 = fadd <4 x double> %354, %360
  %371 = fadd <4 x double> %356, %362
  %372 = fsub <4 x double> %360, %354
  %373 = fsub <4 x double> %362, %356
  %374 = fadd <4 x double> %370, %366
  %375 = fadd <4 x double> %371, %367
  %376 = fadd <4 x double> %373, %368
  %377 = fsub <4 x double> %369, %372
  %378 = fsub <4 x double> %366, %370
  %379 = fsub <4 x double> %367, %371
  %380 = fsub <4 x double> %368, %373
  %381 = fadd <4 x double> %372, %369
  store <4 x double> %374, ptr %350, align 32
  store <4 x double> %375, ptr %364, align 32
  store <4 x double> %376, ptr %351, align 32
  store <4 x double> %377, ptr %361, align 32
  store <4 x double> %378, ptr %352, align 32
  store <4 x double> %379, ptr %358, align 32
  store <4 x double> %380, ptr %353, align 32
  store <4 x double> %381, ptr %355, align 32
  %382 = add nuw nsw i64 %349, 4
  %383 = icmp slt i64 %382, %6
  br i1 %383, label %348, label %989

384:
  %385 = sdiv i64 %17, 4
  br i1 %14, label %386, label %989

386:
  %387 = icmp sgt i64 %17, 3
  %388 = shl nsw i64 %385, 7
  %389 = mul nsw i64 %385, 192
  br label %390

390:
  %391 = phi i64 [ 0, %386 ], [ %395, %394 ]
  br i1 %387, label %392, label %394

392:
  %393 = getelementptr inbounds %struct.Complex_f64, ptr %1, i64 %391
  br label %397

394:
  %395 = add i64 %391, %17
  %396 = icmp slt i64 %395, %6
  br i1 %396, label %390, label %989

397:
  %398 = phi i64 [ 0, %392 ], [ %477, %397 ]
  %399 = getelementptr inbounds nuw %struct.Complex_f64, ptr %393, i64 %398
  %400 = mul i64 %398, 48
  %401 = getelementptr inbounds i8, ptr %18, i64 %400
  %402 = getelementptr inbounds nuw %struct.Complex_f64, ptr %399, i64 %385
  %403 = getelementptr inbounds nuw i8, ptr %399, i64 %388
  %404 = getelementptr inbounds nuw i8, ptr %399, i64 %389
  %405 = load <4 x double>, ptr %404, align 32
  %406 = getelementptr inbounds nuw i8, ptr %404, i64 32
  %407 = load <4 x double>, ptr %406, align 32
  %408 = load <4 x double>, ptr %403, align 32
  %409 = getelementptr inbounds nuw i8, ptr %403, i64 32
  %410 = load <4 x double>, ptr %409, align 32
  %411 = load <4 x double>, ptr %402, align 32
  %412 = getelementptr inbounds nuw i8, ptr %402, i64 32
  %413 = load <4 x double>, ptr %412, align 32
  %414 = load <4 x double>, ptr %399, align 32
  %415 = getelementptr inbounds nuw i8, ptr %399, i64 32
  %416 = load <4 x double>, ptr %415, align 32
  %417 = fadd <4 x double> %408, %414
  %418 = fadd <4 x double> %410, %416
  %419 = fsub <4 x double> %414, %408
  %420 = fsub <4 x double> %416, %410
  %421 = fadd <4 x double> %405, %411
  %422 = fadd <4 x double> %407, %413
  %423 = fsub <4 x double> %411, %405
  %424 = fsub <4 x double> %413, %407
  %425 = fadd <4 x double> %421, %417
  %426 = fadd <4 x double> %422, %418
  %427 = fadd <4 x double> %424, %419
  %428 = fsub <4 x double> %420, %423
  %429 = fsub <4 x double> %417, %421
  %430 = fsub <4 x double> %418, %422
  %431 = fsub <4 x double> %419, %424
  %432 = fadd <4 x double> %423, %420
  store <4 x double> %425, ptr %399, align 32
  store <4 x double> %426, ptr %415, align 32
  %433 = load double, ptr %401, align 8
  %434 = insertelement <4 x double> poison, double %433, i64 0
  %435 = shufflevector <4 x double> %434, <4 x double> poison, <4 x i32> zeroinitializer
  %436 = getelementptr inbounds nuw i8, ptr %401, i64 8
  %437 = load double, ptr %436, align 8
  %438 = insertelement <4 x double> poison, double %437, i64 0
  %439 = fneg double %437
  %440 = insertelement <4 x double> poison, double %439, i64 0
  %441 = shufflevector <4 x double> %440, <4 x double> poison, <4 x i32> zeroinitializer
  %442 = fmul <4 x double> %428, %441
  %443 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %427, <4 x double> %435, <4 x double> %442)
  %444 = shufflevector <4 x double> %438, <4 x double> poison, <4 x i32> zeroinitializer
  %445 = fmul <4 x double> %427, %444
  %446 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %428, <4 x double> %435, <4 x double> %445)
  store <4 x double> %443, ptr %402, align 32
  store <4 x double> %446, ptr %412, align 32
  %447 = getelementptr inbounds nuw i8, ptr %401, i64 16
  %448 = load double, ptr %447, align 8
  %449 = insertelement <4 x double> poison, double %448, i64 0
  %450 = shufflevector <4 x double> %449, <4 x double> poison, <4 x i32> zeroinitializer
  %451 = getelementptr inbounds nuw i8, ptr %401, i64 24
  %452 = load double, ptr %451, align 8
  %453 = insertelement <4 x double> poison, double %452, i64 0
  %454 = fneg double %452
  %455 = insertelement <4 x double> poison, double %454, i64 0
  %456 = shufflevector <4 x double> %455, <4 x double> poison, <4 x i32> zeroinitializer
  %457 = fmul <4 x double> %430, %456
  %458 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %429, <4 x double> %450, <4 x double> %457)
  %459 = shufflevector <4 x double> %453, <4 x double> poison, <4 x i32> zeroinitializer
  %460 = fmul <4 x double> %429, %459
  %461 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %430, <4 x double> %450, <4 x double> %460)
  store <4 x double> %458, ptr %403, align 32
  store <4 x double> %461, ptr %409, align 32
  %462 = getelementptr inbounds nuw i8, ptr %401, i64 32
  %463 = load double, ptr %462, align 8
  %464 = insertelement <4 x double> poison, double %463, i64 0
  %465 = shufflevector <4 x double> %464, <4 x double> poison, <4 x i32> zeroinitializer
  %466 = getelementptr inbounds nuw i8, ptr %401, i64 40
  %467 = load double, ptr %466, align 8
  %468 = insertelement <4 x double> poison, double %467, i64 0
  %469 = fneg double %467
  %470 = insertelement <4 x double> poison, double %469, i64 0
  %471 = shufflevector <4 x double> %470, <4 x double> poison, <4 x i32> zeroinitializer
  %472 = fmul <4 x double> %432, %471
  %473 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %431, <4 x double> %465, <4 x double> %472)
  %474 = shufflevector <4 x double> %468, <4 x double> poison, <4 x i32> zeroinitializer
  %475 = fmul <4 x double> %431, %474
  %476 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %432, <4 x double> %465, <4 x double> %475)
  store <4 x double> %473, ptr %404, align 32
  store <4 x double> %476, ptr %406, align 32
  %477 = add nuw nsw i64 %398, 1
  %478 = icmp eq i64 %477, %385
  br i1 %478, label %394, label %397

479:
  br i1 %22, label %480, label %542

480:
  br i1 %14, label %481, label %989

481:
  %482 = phi i64 [ %540, %481 ], [ 0, %480 ]
  %483 = getelementptr inbounds %struct.Complex_f64, ptr %1, i64 %482
  %484 = load <4 x double>, ptr %483, align 32
  %485 = getelementptr inbounds nuw i8, ptr %483, i64 32
  %486 = load <4 x double>, ptr %485, align 32
  %487 = getelementptr inbounds nuw i8, ptr %483, i64 64
  %488 = getelementptr inbounds nuw i8, ptr %483, i64 256
  %489 = load <4 x double>, ptr %488, align 32
  %490 = getelementptr inbounds nuw i8, ptr %483, i64 288
  %491 = load <4 x double>, ptr %490, align 32
  %492 = load <4 x double>, ptr %487, align 32
  %493 = getelementptr inbounds nuw i8, ptr %483, i64 96
  %494 = load <4 x double>, ptr %493, align 32
  %495 = fadd <4 x double> %489, %492
  %496 = fadd <4 x double> %491, %494
  %497 = fsub <4 x double> %492, %489
  %498 = fsub <4 x double> %494, %491
  %499 = fneg <4 x double> %497
  %500 = getelementptr inbounds nuw i8, ptr %483, i64 128
  %501 = getelementptr inbounds nuw i8, ptr %483, i64 192
  %502 = load <4 x double>, ptr %501, align 32
  %503 = getelementptr inbounds nuw i8, ptr %483, i64 224
  %504 = load <4 x double>, ptr %503, align 32
  %505 = load <4 x double>, ptr %500, align 32
  %506 = getelementptr inbounds nuw i8, ptr %483, i64 160
  %507 = load <4 x double>, ptr %506, align 32
  %508 = fadd <4 x double> %502, %505
  %509 = fadd <4 x double> %504, %507
  %510 = fsub <4 x double> %505, %502
  %511 = fsub <4 x double> %507, %504
  %512 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %495, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %484)
  %513 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %508, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %512)
  %514 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %496, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %486)
  %515 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %509, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %514)
  %516 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %495, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %484)
  %517 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %508, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %516)
  %518 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %496, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %486)
  %519 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %509, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %518)
  %520 = fmul <4 x double> %511, splat (double 0x3FE2CF2304755A5E)
  %521 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %498, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %520)
  %522 = fmul <4 x double> %510, splat (double 0xBFE2CF2304755A5E)
  %523 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %499, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %522)
  %524 = fmul <4 x double> %511, splat (double 0xBFEE6F0E134454FF)
  %525 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %498, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %524)
  %526 = fmul <4 x double> %510, splat (double 0x3FEE6F0E134454FF)
  %527 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %499, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %526)
  %528 = fadd <4 x double> %495, %508
  %529 = fadd <4 x double> %496, %509
  %530 = fadd <4 x double> %484, %528
  %531 = fadd <4 x double> %486, %529
  store <4 x double> %530, ptr %483, align 32
  store <4 x double> %531, ptr %485, align 32
  %532 = fadd <4 x double> %513, %521
  %533 = fadd <4 x double> %515, %523
  store <4 x double> %532, ptr %487, align 32
  store <4 x double> %533, ptr %493, align 32
  %534 = fadd <4 x double> %517, %525
  %535 = fadd <4 x double> %519, %527
  store <4 x double> %534, ptr %500, align 32
  store <4 x double> %535, ptr %506, align 32
  %536 = fsub <4 x double> %517, %525
  %537 = fsub <4 x double> %519, %527
  store <4 x double> %536, ptr %501, align 32
  store <4 x double> %537, ptr %503, align 32
  %538 = fsub <4 x double> %513, %521
  %539 = fsub <4 x double> %515, %523
  store <4 x double> %538, ptr %488, align 32
  store <4 x double> %539, ptr %490, align 32
  %540 = add i64 %482, 5
  %541 = icmp slt i64 %540, %6
  br i1 %541, label %481, label %989

542:
  %543 = sdiv i64 %17, 5
  br i1 %14, label %544, label %989

544:
  %545 = icmp sgt i64 %17, 4
  %546 = shl nsw i64 %543, 8
  %547 = shl nsw i64 %543, 7
  %548 = mul nsw i64 %543, 192
  br label %549

549:
  %550 = phi i64 [ 0, %544 ], [ %554, %553 ]
  br i1 %545, label %551, label %553

551:
  %552 = getelementptr inbounds %struct.Complex_f64, ptr %1, i64 %550
  br label %556

553:
  %554 = add i64 %550, %17
  %555 = icmp slt i64 %554, %6
  br i1 %555, label %549, label %989

556:
  %557 = phi i64 [ 0, %551 ], [ %676, %556 ]
  %558 = getelementptr inbounds nuw %struct.Complex_f64, ptr %552, i64 %557
  %559 = load <4 x double>, ptr %558, align 32
  %560 = getelementptr inbounds nuw i8, ptr %558, i64 32
  %561 = load <4 x double>, ptr %560, align 32
  %562 = getelementptr inbounds nuw %struct.Complex_f64, ptr %558, i64 %543
  %563 = getelementptr inbounds nuw i8, ptr %558, i64 %546
  %564 = load <4 x double>, ptr %563, align 32
  %565 = getelementptr inbounds nuw i8, ptr %563, i64 32
  %566 = load <4 x double>, ptr %565, align 32
  %567 = load <4 x double>, ptr %562, align 32
  %568 = getelementptr inbounds nuw i8, ptr %562, i64 32
  %569 = load <4 x double>, ptr %568, align 32
  %570 = fadd <4 x double> %564, %567
  %571 = fadd <4 x double> %566, %569
  %572 = fsub <4 x double> %567, %564
  %573 = fsub <4 x double> %569, %566
  %574 = fneg <4 x double> %572
  %575 = getelementptr inbounds nuw i8, ptr %558, i64 %547
  %576 = getelementptr inbounds nuw i8, ptr %558, i64 %548
  %577 = load <4 x double>, ptr %576, align 32
  %578 = getelementptr inbounds nuw i8, ptr %576, i64 32
  %579 = load <4 x double>, ptr %578, align 32
  %580 = load <4 x double>, ptr %575, align 32
  %581 = getelementptr inbounds nuw i8, ptr %575, i64 32
  %582 = load <4 x double>, ptr %581, align 32
  %583 = fadd <4 x double> %577, %580
  %584 = fadd <4 x double> %579, %582
  %585 = fsub <4 x double> %580, %577
  %586 = fsub <4 x double> %582, %579
  %587 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %570, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %559)
  %588 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %583, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %587)
  %589 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %571, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %561)
  %590 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %584, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %589)
  %591 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %570, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %559)
  %592 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %583, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %591)
  %593 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %571, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %561)
  %594 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %584, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %593)
  %595 = fmul <4 x double> %586, splat (double 0x3FE2CF2304755A5E)
  %596 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %573, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %595)
  %597 = fmul <4 x double> %585, splat (double 0xBFE2CF2304755A5E)
  %598 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %574, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %597)
  %599 = fmul <4 x double> %586, splat (double 0xBFEE6F0E134454FF)
  %600 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %573, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %599)
  %601 = fmul <4 x double> %585, splat (double 0x3FEE6F0E134454FF)
  %602 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %574, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %601)
  %603 = shl i64 %557, 6
  %604 = getelementptr inbounds i8, ptr %18, i64 %603
  %605 = fadd <4 x double> %570, %583
  %606 = fadd <4 x double> %571, %584
  %607 = fadd <4 x double> %559, %605
  %608 = fadd <4 x double> %561, %606
  store <4 x double> %607, ptr %558, align 32
  store <4 x double> %608, ptr %560, align 32
  %609 = fadd <4 x double> %588, %596
  %610 = fadd <4 x double> %590, %598
  %611 = load double, ptr %604, align 8
  %612 = insertelement <4 x double> poison, double %611, i64 0
  %613 = shufflevector <4 x double> %612, <4 x double> poison, <4 x i32> zeroinitializer
  %614 = getelementptr inbounds nuw i8, ptr %604, i64 8
  %615 = load double, ptr %614, align 8
  %616 = insertelement <4 x double> poison, double %615, i64 0
  %617 = fneg double %615
  %618 = insertelement <4 x double> poison, double %617, i64 0
  %619 = shufflevector <4 x double> %618, <4 x double> poison, <4 x i32> zeroinitializer
  %620 = fmul <4 x double> %610, %619
  %621 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %609, <4 x double> %613, <4 x double> %620)
  %622 = shufflevector <4 x double> %616, <4 x double> poison, <4 x i32> zeroinitializer
  %623 = fmul <4 x double> %609, %622
  %624 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %610, <4 x double> %613, <4 x double> %623)
  store <4 x double> %621, ptr %562, align 32
  store <4 x double> %624, ptr %568, align 32
  %625 = fadd <4 x double> %592, %600
  %626 = fadd <4 x double> %594, %602
  %627 = getelementptr inbounds nuw i8, ptr %604, i64 16
  %628 = load double, ptr %627, align 8
  %629 = insertelement <4 x double> poison, double %628, i64 0
  %630 = shufflevector <4 x double> %629, <4 x double> poison, <4 x i32> zeroinitializer
  %631 = getelementptr inbounds nuw i8, ptr %604, i64 24
  %632 = load double, ptr %631, align 8
  %633 = insertelement <4 x double> poison, double %632, i64 0
  %634 = fneg double %632
  %635 = insertelement <4 x double> poison, double %634, i64 0
  %636 = shufflevector <4 x double> %635, <4 x double> poison, <4 x i32> zeroinitializer
  %637 = fmul <4 x double> %626, %636
  %638 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %625, <4 x double> %630, <4 x double> %637)
  %639 = shufflevector <4 x double> %633, <4 x double> poison, <4 x i32> zeroinitializer
  %640 = fmul <4 x double> %625, %639
  %641 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %626, <4 x double> %630, <4 x double> %640)
  store <4 x double> %638, ptr %575, align 32
  store <4 x double> %641, ptr %581, align 32
  %642 = fsub <4 x double> %592, %600
  %643 = fsub <4 x double> %594, %602
  %644 = getelementptr inbounds nuw i8, ptr %604, i64 32
  %645 = load double, ptr %644, align 8
  %646 = insertelement <4 x double> poison, double %645, i64 0
  %647 = shufflevector <4 x double> %646, <4 x double> poison, <4 x i32> zeroinitializer
  %648 = getelementptr inbounds nuw i8, ptr %604, i64 40
  %649 = load double, ptr %648, align 8
  %650 = insertelement <4 x double> poison, double %649, i64 0
  %651 = fneg double %649
  %652 = insertelement <4 x double> poison, double %651, i64 0
  %653 = shufflevector <4 x double> %652, <4 x double> poison, <4 x i32> zeroinitializer
  %654 = fmul <4 x double> %643, %653
  %655 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %642, <4 x double> %647, <4 x double> %654)
  %656 = shufflevector <4 x double> %650, <4 x double> poison, <4 x i32> zeroinitializer
  %657 = fmul <4 x double> %642, %656
  %658 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %643, <4 x double> %647, <4 x double> %657)
  store <4 x double> %655, ptr %576, align 32
  store <4 x double> %658, ptr %578, align 32
  %659 = fsub <4 x double> %588, %596
  %660 = fsub <4 x double> %590, %598
  %661 = getelementptr inbounds nuw i8, ptr %604, i64 48
  %662 = load double, ptr %661, align 8
  %663 = insertelement <4 x double> poison, double %662, i64 0
  %664 = shufflevector <4 x double> %663, <4 x double> poison, <4 x i32> zeroinitializer
  %665 = getelementptr inbounds nuw i8, ptr %604, i64 56
  %666 = load double, ptr %665, align 8
  %667 = insertelement <4 x double> poison, double %666, i64 0
  %668 = fneg double %666
  %669 = insertelement <4 x double> poison, double %668, i64 0
  %670 = shufflevector <4 x double> %669, <4 x double> poison, <4 x i32> zeroinitializer
  %671 = fmul <4 x double> %660, %670
  %672 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %659, <4 x double> %664, <4 x double> %671)
  %673 = shufflevector <4 x double> %667, <4 x double> poison, <4 x i32> zeroinitializer
  %674 = fmul <4 x double> %659, %673
  %675 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %660, <4 x double> %664, <4 x double> %674)
  store <4 x double> %672, ptr %563, align 32
  store <4 x double> %675, ptr %565, align 32
  %676 = add nuw nsw i64 %557, 1
  %677 = icmp eq i64 %676, %543
  br i1 %677, label %553, label %556

678:
  br i1 %22, label %679, label %773

679:
  br i1 %14, label %680, label %989

680:
  %681 = phi i64 [ %771, %680 ], [ 0, %679 ]
  %682 = getelementptr inbounds nuw %struct.Complex_f64, ptr %1, i64 %681
  %683 = getelementptr inbounds nuw i8, ptr %682, i64 64
  %684 = getelementptr inbounds nuw i8, ptr %682, i64 320
  %685 = load <4 x double>, ptr %684, align 32
  %686 = getelementptr inbounds nuw i8, ptr %682, i64 352
  %687 = load <4 x double>, ptr %686, align 32
  %688 = load <4 x double>, ptr %683, align 32
  %689 = getelementptr inbounds nuw i8, ptr %682, i64 96
  %690 = load <4 x double>, ptr %689, align 32
  %691 = fsub <4 x double> %688, %685
  %692 = fsub <4 x double> %690, %687
  %693 = getelementptr inbounds nuw i8, ptr %682, i64 192
  %694 = getelementptr inbounds nuw i8, ptr %682, i64 448
  %695 = load <4 x double>, ptr %694, align 32
  %696 = getelementptr inbounds nuw i8, ptr %682, i64 480
  %697 = load <4 x double>, ptr %696, align 32
  %698 = load <4 x double>, ptr %693, align 32
  %699 = getelementptr inbounds nuw i8, ptr %682, i64 224
  %700 = load <4 x double>, ptr %699, align 32
  %701 = fsub <4 x double> %698, %695
  %702 = fsub <4 x double> %700, %697
  %703 = fadd <4 x double> %691, %692
  %704 = fmul <4 x double> %703, splat (double 0x3FE6A09E667F3BCD)
  %705 = fsub <4 x double> %692, %691
  %706 = fmul <4 x double> %705, splat (double 0x3FE6A09E667F3BCD)
  %707 = fsub <4 x double> %702, %701
  %708 = fmul <4 x double> %707, splat (double 0x3FE6A09E667F3BCD)
  %709 = fneg <4 x double> %701
  %710 = fsub <4 x double> %709, %702
  %711 = fmul <4 x double> %710, splat (double 0x3FE6A09E667F3BCD)
  %712 = getelementptr inbounds nuw i8, ptr %682, i64 256
  %713 = load <4 x double>, ptr %712, align 32
  %714 = getelementptr inbounds nuw i8, ptr %682, i64 288
  %715 = load <4 x double>, ptr %714, align 32
  %716 = load <4 x double>, ptr %682, align 32
  %717 = getelementptr inbounds nuw i8, ptr %682, i64 32
  %718 = load <4 x double>, ptr %717, align 32
  %719 = fsub <4 x double> %716, %713
  %720 = fsub <4 x double> %718, %715
  %721 = getelementptr inbounds nuw i8, ptr %682, i64 128
  %722 = getelementptr inbounds nuw i8, ptr %682, i64 384
  %723 = load <4 x double>, ptr %722, align 32
  %724 = getelementptr inbounds nuw i8, ptr %682, i64 416
  %725 = load <4 x double>, ptr %724, align 32
  %726 = load <4 x double>, ptr %721, align 32
  %727 = getelementptr inbounds nuw i8, ptr %682, i64 160
  %728 = load <4 x double>, ptr %727, align 32
  %729 = fsub <4 x double> %726, %723
  %730 = fsub <4 x double> %728, %725
  %731 = fadd <4 x double> %719, %730
  %732 = fsub <4 x double> %720, %729
  %733 = fsub <4 x double> %719, %730
  %734 = fadd <4 x double> %720, %729
  %735 = fadd <4 x double> %704, %708
  %736 = fadd <4 x double> %706, %711
  %737 = fsub <4 x double> %704, %708
  %738 = fsub <4 x double> %706, %711
  %739 = fadd <4 x double> %735, %731
  %740 = fadd <4 x double> %736, %732
  %741 = fadd <4 x double> %738, %733
  %742 = fsub <4 x double> %734, %737
  %743 = fsub <4 x double> %731, %735
  %744 = fsub <4 x double> %732, %736
  %745 = fsub <4 x double> %733, %738
  %746 = fadd <4 x double> %737, %734
  %747 = fadd <4 x double> %713, %716
  %748 = fadd <4 x double> %715, %718
  %749 = fadd <4 x double> %685, %688
  %750 = fadd <4 x double> %687, %690
  %751 = fadd <4 x double> %723, %726
  %752 = fadd <4 x double> %725, %728
  %753 = fadd <4 x double> %695, %698
  %754 = fadd <4 x double> %697, %700
  %755 = fadd <4 x double> %747, %751
  %756 = fadd <4 x double> %748, %752
  %757 = fsub <4 x double> %747, %751
  %758 = fsub <4 x double> %748, %752
  %759 = fadd <4 x double> %749, %753
  %760 = fadd <4 x double> %750, %754
  %761 = fsub <4 x double> %749, %753
  %762 = fsub <4 x double> %750, %754
  %763 = fadd <4 x double> %759, %755
  %764 = fadd <4 x double> %760, %756
  %765 = fadd <4 x double> %762, %757
  %766 = fsub <4 x double> %758, %761
  %767 = fsub <4 x double> %755, %759
  %768 = fsub <4 x double> %756, %760
  %769 = fsub <4 x double> %757, %762
  %770 = fadd <4 x double> %761, %758
  store <4 x double> %763, ptr %682, align 32
  store <4 x double> %764, ptr %717, align 32
  store <4 x double> %739, ptr %683, align 32
  store <4 x double> %740, ptr %689, align 32
  store <4 x double> %765, ptr %721, align 32
  store <4 x double> %766, ptr %727, align 32
  store <4 x double> %741, ptr %693, align 32
  store <4 x double> %742, ptr %699, align 32
  store <4 x double> %767, ptr %712, align 32
  store <4 x double> %768, ptr %714, align 32
  store <4 x double> %743, ptr %684, align 32
  store <4 x double> %744, ptr %686, align 32
  store <4 x double> %769, ptr %722, align 32
  store <4 x double> %770, ptr %724, align 32
  store <4 x double> %745, ptr %694, align 32
  store <4 x double> %746, ptr %696, align 32
  %771 = add nuw nsw i64 %681, 8
  %772 = icmp slt i64 %771, %6
  br i1 %772, label %680, label %989

773:
  %774 = sdiv i64 %17, 8
  br i1 %14, label %775, label %989

775:
  %776 = icmp sgt i64 %17, 7
  %777 = mul nsw i64 %774, 320
  %778 = mul nsw i64 %774, 192
  %779 = mul nsw i64 %774, 448
  %780 = shl nsw i64 %774, 8
  %781 = shl nsw i64 %774, 7
  %782 = mul nsw i64 %774, 384
  br label %783

783:
  %784 = phi i64 [ 0, %775 ], [ %788, %787 ]
  br i1 %776, label %785, label %787

785:
  %786 = getelementptr inbounds %struct.Complex_f64, ptr %1, i64 %784
  br label %790

787:
  %788 = add i64 %784, %17
  %789 = icmp slt i64 %788, %6
  br i1 %789, label %783, label %989

790:
  %791 = phi i64 [ 0, %785 ], [ %987, %790 ]
  %792 = getelementptr inbounds nuw %struct.Complex_f64, ptr %786, i64 %791
  %793 = mul i64 %791, 112
  %794 = getelementptr inbounds i8, ptr %18, i64 %793
  %795 = getelementptr inbounds nuw %struct.Complex_f64, ptr %792, i64 %774
  %796 = getelementptr inbounds nuw i8, ptr %792, i64 %777
  %797 = load <4 x double>, ptr %796, align 32
  %798 = getelementptr inbounds nuw i8, ptr %796, i64 32
  %799 = load <4 x double>, ptr %798, align 32
  %800 = load <4 x double>, ptr %795, align 32
  %801 = getelementptr inbounds nuw i8, ptr %795, i64 32
  %802 = load <4 x double>, ptr %801, align 32
  %803 = fsub <4 x double> %800, %797
  %804 = fsub <4 x double> %802, %799
  %805 = getelementptr inbounds nuw i8, ptr %792, i64 %778
  %806 = getelementptr inbounds nuw i8, ptr %792, i64 %779
  %807 = load <4 x double>, ptr %806, align 32
  %808 = getelementptr inbounds nuw i8, ptr %806, i64 32
  %809 = load <4 x double>, ptr %808, align 32
  %810 = load <4 x double>, ptr %805, align 32
  %811 = getelementptr inbounds nuw i8, ptr %805, i64 32
  %812 = load <4 x double>, ptr %811, align 32
  %813 = fsub <4 x double> %810, %807
  %814 = fsub <4 x double> %812, %809
  %815 = fadd <4 x double> %803, %804
  %816 = fmul <4 x double> %815, splat (double 0x3FE6A09E667F3BCD)
  %817 = fsub <4 x double> %804, %803
  %818 = fmul <4 x double> %817, splat (double 0x3FE6A09E667F3BCD)
  %819 = fsub <4 x double> %814, %813
  %820 = fmul <4 x double> %819, splat (double 0x3FE6A09E667F3BCD)
  %821 = fneg <4 x double> %813
  %822 = fsub <4 x double> %821, %814
  %823 = fmul <4 x double> %822, splat (double 0x3FE6A09E667F3BCD)
  %824 = getelementptr inbounds nuw i8, ptr %792, i64 %780
  %825 = load <4 x double>, ptr %824, align 32
  %826 = getelementptr inbounds nuw i8, ptr %824, i64 32
  %827 = load <4 x double>, ptr %826, align 32
  %828 = load <4 x double>, ptr %792, align 32
  %829 = getelementptr inbounds nuw i8, ptr %792, i64 32
  %830 = load <4 x double>, ptr %829, align 32
  %831 = fsub <4 x double> %828, %825
  %832 = fsub <4 x double> %830, %827
  %833 = getelementptr inbounds nuw i8, ptr %792, i64 %781
  %834 = getelementptr inbounds nuw i8, ptr %792, i64 %782
  %835 = load <4 x double>, ptr %834, align 32
  %836 = getelementptr inbounds nuw i8, ptr %834, i64 32
  %837 = load <4 x double>, ptr %836, align 32
  %838 = load <4 x double>, ptr %833, align 32
  %839 = getelementptr inbounds nuw i8, ptr %833, i64 32
  %840 = load <4 x double>, ptr %839, align 32
  %841 = fsub <4 x double> %838, %835
  %842 = fsub <4 x double> %840, %837
  %843 = fadd <4 x double> %831, %842
  %844 = fsub <4 x double> %832, %841
  %845 = fsub <4 x double> %831, %842
  %846 = fadd <4 x double> %832, %841
  %847 = fadd <4 x double> %816, %820
  %848 = fadd <4 x double> %818, %823
  %849 = fsub <4 x double> %816, %820
  %850 = fsub <4 x double> %818, %823
  %851 = fadd <4 x double> %847, %843
  %852 = fadd <4 x double> %848, %844
  %853 = fadd <4 x double> %850, %845
  %854 = fsub <4 x double> %846, %849
  %855 = fsub <4 x double> %843, %847
  %856 = fsub <4 x double> %844, %848
  %857 = fsub <4 x double> %845, %850
  %858 = fadd <4 x double> %849, %846
  %859 = fadd <4 x double> %825, %828
  %860 = fadd <4 x double> %827, %830
  %861 = fadd <4 x double> %797, %800
  %862 = fadd <4 x double> %799, %802
  %863 = fadd <4 x double> %835, %838
  %864 = fadd <4 x double> %837, %840
  %865 = fadd <4 x double> %807, %810
  %866 = fadd <4 x double> %809, %812
  %867 = fadd <4 x double> %859, %863
  %868 = fadd <4 x double> %860, %864
  %869 = fsub <4 x double> %859, %863
  %870 = fsub <4 x double> %860, %864
  %871 = fadd <4 x double> %861, %865
  %872 = fadd <4 x double> %862, %866
  %873 = fsub <4 x double> %861, %865
  %874 = fsub <4 x double> %862, %866
  %875 = fadd <4 x double> %871, %867
  %876 = fadd <4 x double> %872, %868
  %877 = fadd <4 x double> %874, %869
  %878 = fsub <4 x double> %870, %873
  %879 = fsub <4 x double> %867, %871
  %880 = fsub <4 x double> %868, %872
  %881 = fsub <4 x double> %869, %874
  %882 = fadd <4 x double> %873, %870
  store <4 x double> %875, ptr %792, align 32
  store <4 x double> %876, ptr %829, align 32
  %883 = load double, ptr %794, align 8
  %884 = insertelement <4 x double> poison, double %883, i64 0
  %885 = shufflevector <4 x double> %884, <4 x double> poison, <4 x i32> zeroinitializer
  %886 = getelementptr inbounds nuw i8, ptr %794, i64 8
  %887 = load double, ptr %886, align 8
  %888 = insertelement <4 x double> poison, double %887, i64 0
  %889 = fneg double %887
  %890 = insertelement <4 x double> poison, double %889, i64 0
  %891 = shufflevector <4 x double> %890, <4 x double> poison, <4 x i32> zeroinitializer
  %892 = fmul <4 x double> %852, %891
  %893 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %851, <4 x double> %885, <4 x double> %892)
  %894 = shufflevector <4 x double> %888, <4 x double> poison, <4 x i32> zeroinitializer
  %895 = fmul <4 x double> %851, %894
  %896 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %852, <4 x double> %885, <4 x double> %895)
  store <4 x double> %893, ptr %795, align 32
  store <4 x double> %896, ptr %801, align 32
  %897 = getelementptr inbounds nuw i8, ptr %794, i64 16
  %898 = load double, ptr %897, align 8
  %899 = insertelement <4 x double> poison, double %898, i64 0
  %900 = shufflevector <4 x double> %899, <4 x double> poison, <4 x i32> zeroinitializer
  %901 = getelementptr inbounds nuw i8, ptr %794, i64 24
  %902 = load double, ptr %901, align 8
  %903 = insertelement <4 x double> poison, double %902, i64 0
  %904 = fneg double %902
  %905 = insertelement <4 x double> poison, double %904, i64 0
  %906 = shufflevector <4 x double> %905, <4 x double> poison, <4 x i32> zeroinitializer
  %907 = fmul <4 x double> %878, %906
  %908 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %877, <4 x double> %900, <4 x double> %907)
  %909 = shufflevector <4 x double> %903, <4 x double> poison, <4 x i32> zeroinitializer
  %910 = fmul <4 x double> %877, %909
  %911 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %878, <4 x double> %900, <4 x double> %910)
  store <4 x double> %908, ptr %833, align 32
  store <4 x double> %911, ptr %839, align 32
  %912 = getelementptr inbounds nuw i8, ptr %794, i64 32
  %913 = load double, ptr %912, align 8
  %914 = insertelement <4 x double> poison, double %913, i64 0
  %915 = shufflevector <4 x double> %914, <4 x double> poison, <4 x i32> zeroinitializer
  %916 = getelementptr inbounds nuw i8, ptr %794, i64 40
  %917 = load double, ptr %916, align 8
  %918 = insertelement <4 x double> poison, double %917, i64 0
  %919 = fneg double %917
  %920 = insertelement <4 x double> poison, double %919, i64 0
  %921 = shufflevector <4 x double> %920, <4 x double> poison, <4 x i32> zeroinitializer
  %922 = fmul <4 x double> %854, %921
  %923 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %853, <4 x double> %915, <4 x double> %922)
  %924 = shufflevector <4 x double> %918, <4 x double> poison, <4 x i32> zeroinitializer
  %925 = fmul <4 x double> %853, %924
  %926 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %854, <4 x double> %915, <4 x double> %925)
  store <4 x double> %923, ptr %805, align 32
  store <4 x double> %926, ptr %811, align 32
  %927 = getelementptr inbounds nuw i8, ptr %794, i64 48
  %928 = load double, ptr %927, align 8
  %929 = insertelement <4 x double> poison, double %928, i64 0
  %930 = shufflevector <4 x double> %929, <4 x double> poison, <4 x i32> zeroinitializer
  %931 = getelementptr inbounds nuw i8, ptr %794, i64 56
  %932 = load double, ptr %931, align 8
  %933 = insertelement <4 x double> poison, double %932, i64 0
  %934 = fneg double %932
  %935 = insertelement <4 x double> poison, double %934, i64 0
  %936 = shufflevector <4 x double> %935, <4 x double> poison, <4 x i32> zeroinitializer
  %937 = fmul <4 x double> %880, %936
  %938 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %879, <4 x double> %930, <4 x double> %937)
  %939 = shufflevector <4 x double> %933, <4 x double> poison, <4 x i32> zeroinitializer
  %940 = fmul <4 x double> %879, %939
  %941 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %880, <4 x double> %930, <4 x double> %940)
  store <4 x double> %938, ptr %824, align 32
  store <4 x double> %941, ptr %826, align 32
  %942 = getelementptr inbounds nuw i8, ptr %794, i64 64
  %943 = load double, ptr %942, align 8
  %944 = insertelement <4 x double> poison, double %943, i64 0
  %945 = shufflevector <4 x double> %944, <4 x double> poison, <4 x i32> zeroinitializer
  %946 = getelementptr inbounds nuw i8, ptr %794, i64 72
  %947 = load double, ptr %946, align 8
  %948 = insertelement <4 x double> poison, double %947, i64 0
  %949 = fneg double %947
  %950 = insertelement <4 x double> poison, double %949, i64 0
  %951 = shufflevector <4 x double> %950, <4 x double> poison, <4 x i32> zeroinitializer
  %952 = fmul <4 x double> %856, %951
  %953 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %855, <4 x double> %945, <4 x double> %952)
  %954 = shufflevector <4 x double> %948, <4 x double> poison, <4 x i32> zeroinitializer
  %955 = fmul <4 x double> %855, %954
  %956 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %856, <4 x double> %945, <4 x double> %955)
  store <4 x double> %953, ptr %796, align 32
  store <4 x double> %956, ptr %798, align 32
  %957 = getelementptr inbounds nuw i8, ptr %794, i64 80
  %958 = load double, ptr %957, align 8
  %959 = insertelement <4 x double> poison, double %958, i64 0
  %960 = shufflevector <4 x double> %959, <4 x double> poison, <4 x i32> zeroinitializer
  %961 = getelementptr inbounds nuw i8, ptr %794, i64 88
  %962 = load double, ptr %961, align 8
  %963 = insertelement <4 x double> poison, double %962, i64 0
  %964 = fneg double %962
  %965 = insertelement <4 x double> poison, double %964, i64 0
  %966 = shufflevector <4 x double> %965, <4 x double> poison, <4 x i32> zeroinitializer
  %967 = fmul <4 x double> %882, %966
  %968 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %881, <4 x double> %960, <4 x double> %967)
  %969 = shufflevector <4 x double> %963, <4 x double> poison, <4 x i32> zeroinitializer
  %970 = fmul <4 x double> %881, %969
  %971 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %882, <4 x double> %960, <4 x double> %970)
  store <4 x double> %968, ptr %834, align 32
  store <4 x double> %971, ptr %836, align 32
  %972 = getelementptr inbounds nuw i8, ptr %794, i64 96
  %973 = load double, ptr %972, align 8
  %974 = insertelement <4 x double> poison, double %973, i64 0
  %975 = shufflevector <4 x double> %974, <4 x double> poison, <4 x i32> zeroinitializer
  %976 = getelementptr inbounds nuw i8, ptr %794, i64 104
  %977 = load double, ptr %976, align 8
  %978 = insertelement <4 x double> poison, double %977, i64 0
  %979 = fneg double %977
  %980 = insertelement <4 x double> poison, double %979, i64 0
  %981 = shufflevector <4 x double> %980, <4 x double> poison, <4 x i32> zeroinitializer
  %982 = fmul <4 x double> %858, %981
  %983 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %857, <4 x double> %975, <4 x double> %982)
  %984 = shufflevector <4 x double> %978, <4 x double> poison, <4 x i32> zeroinitializer
  %985 = fmul <4 x double> %857, %984
  %986 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %858, <4 x double> %975, <4 x double> %985)
  store <4 x double> %983, ptr %806, align 32
  store <4 x double> %986, ptr %808, align 32
  %987 = add nuw nsw i64 %791, 1
  %988 = icmp eq i64 %987, %774
  br i1 %988, label %787, label %790

989:
  %990 = phi ptr [ %18, %179 ], [ %18, %542 ], [ %18, %679 ], [ %18, %773 ], [ %18, %181 ], [ %18, %198 ], [ %18, %242 ], [ %18, %273 ], [ %18, %347 ], [ %18, %384 ], [ %18, %480 ], [ %28, %26 ], [ %18, %243 ], [ %18, %282 ], [ %18, %348 ], [ %18, %394 ], [ %18, %481 ], [ %18, %553 ], [ %18, %680 ], [ %28, %42 ], [ %18, %182 ], [ %18, %206 ], [ %18, %787 ]
  %991 = sdiv i64 %17, %21
  %992 = shl i64 %21, 1
  %993 = add i64 %992, -2
  %994 = mul i64 %991, %993
  %995 = getelementptr inbounds double, ptr %990, i64 %994
  %996 = add nuw nsw i64 %19, 1
  %997 = load i64, ptr %7, align 8
  %998 = icmp slt i64 %996, %997
  br i1 %998, label %16, label %15
}

declare <4 x double> @llvm.fmuladd.v4f64(<4 x double>, <4 x double>, <4 x double>)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.umin.i64(i64, i64)

declare float @llvm.fmuladd.f32(float, float, float)

declare double @llvm.fmuladd.f64(double, double, double)
